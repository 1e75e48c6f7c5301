import { isFirnError } from '@firn/codec'

/** The reason why a message is not signed. */
export interface Refusal {
  readonly code: number
  readonly text: string
}

/** Returns the decoded value, or undefined if decoding fails. */
export function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
