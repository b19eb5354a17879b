"""Generated text: pages of the registries and of the errors, signatures of the constructors."""
