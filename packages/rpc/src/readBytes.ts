/**
 * Reads the body of a fetch response, an incoming request or another source into one array. `onPart` is called
 * with each part and the length of the body so far, before the part is kept. It may throw to end the reading.
 * Parts are copied on arrival, so many small parts take no more memory than a few large ones.
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { readBytes } from '@firn/rpc'
 *
 * createServer(async (request, response) => {
 *   const body = await readBytes(request, (_part, length) => {
 *     if (length > 1_024) throw new RangeError('the body is longer than 1,024 bytes')
 *   })
 *   response.end(body)
 * })
 * ```
 * @throws the errors of the stream and of `onPart`
 */
export async function readBytes(
  parts: AsyncIterable<Uint8Array>,
  onPart: (part: Uint8Array, length: number) => void,
): Promise<Uint8Array> {
  let bytes = new Uint8Array()
  let length = 0
  for await (const part of parts) {
    const start = length
    length += part.length
    onPart(part, length)
    if (start === 0) {
      bytes = part as Uint8Array<ArrayBuffer>
      continue
    }
    if (length > bytes.length) {
      const grown = new Uint8Array(Math.max(length, bytes.length * 2))
      grown.set(bytes.subarray(0, start))
      bytes = grown
    }
    bytes.set(part, start)
  }
  return bytes.subarray(0, length)
}
