import { isFirnError } from '@firn/codec'

/** Returns the code of the error with which `work` fails, or `none` if it succeeds. For tests only. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (isFirnError(error)) return error.code
    throw error
  }
}
