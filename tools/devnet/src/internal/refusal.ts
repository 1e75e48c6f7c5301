import { isFirnError } from '@firn/codec'

/** Why a message is not signed. */
export interface Refusal {
  readonly code: number
  readonly text: string
}

/** Returns what was decoded, or undefined where the bytes are not that. */
export function tryDecode<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch (error) {
    if (isFirnError(error)) return undefined
    throw error
  }
}
