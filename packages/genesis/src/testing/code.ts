import { isFirnError } from '@firn/codec'

/** The code of the typed error that `work` throws, or `none`; anything else that it throws goes on. For tests only. */
export function codeOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (isFirnError(error)) return error.code
    throw error
  }
}
