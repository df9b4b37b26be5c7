/* Every variant: the baseline, the synthesizers, the rivals, the reference. */
VARIANT(vanilla)
VARIANT(dense)
VARIANT(random)
VARIANT(fixed_random)
VARIANT(factorized_random)
VARIANT(factorized_dense)
VARIANT(orthogonal)
VARIANT(uniform)
