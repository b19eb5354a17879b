"""Messages per second and core: netloom's flows beside SimGrid's S4U and LogGOPSim, in one run."""
