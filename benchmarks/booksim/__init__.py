"""BookSim2 and netloom on the same questions."""
