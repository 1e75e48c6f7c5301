import { ShortId } from '@firn/codec'

/**
 * Parses a bare cb58 address, the form that all Go clients send, to its 20 bytes. Returns undefined for every other text.
 */
export function parse(text: string): Uint8Array | undefined {
  // Addresses of the other form have a dash. To decode them as cb58 fails with an error, which takes long to create.
  if (text.includes('-')) return undefined
  try {
    return ShortId.parse(text)
  } catch {
    return undefined
  }
}
