"""What `netloom design` takes at two sizes."""
