import { isFirnError } from '@firn/codec'

/**
 * Returns the code of the typed error that `work` throws, or `none`. Rethrows all other errors. For tests
 * only.
 */
export function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (isFirnError(error)) return error.code
    throw error
  }
}
