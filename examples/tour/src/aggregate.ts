import { Hex } from '@firn/codec'

/** Has an unsigned Warp message signed by a signature aggregator, such as `http://127.0.0.1:8080/v1/signatureAggregator/fuji`. */
export async function aggregate(url: string, message: Uint8Array): Promise<Uint8Array> {
  const response = await fetch(`${url}/aggregateSignatures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: Hex.encode(message) }),
  })
  const body = (await response.json()) as { signedMessage?: string; message?: string }
  if (body.signedMessage === undefined) throw new Error(`not signed: ${body.message ?? response.status}`)
  return Hex.decodeAny(body.signedMessage)
}
