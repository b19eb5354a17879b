"""How good the mappings are: beside the papers' numbers, beside other mappers, beside bounds, over ten networks."""
