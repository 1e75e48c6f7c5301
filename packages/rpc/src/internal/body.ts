import { RpcError } from '../RpcError.ts'

/** Returns the text of a response, read up to a cap and not beyond. Throws `RPC_RESPONSE` above the cap. */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > maxBytes) {
      await reader.cancel()
      throw new RpcError('RPC_RESPONSE', `expected a body of at most ${maxBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
