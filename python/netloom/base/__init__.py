"""What every room uses: faults, arguments, columns, files, units, nearest names, the catalogue of names."""
