import { Hex, Id } from '@firn/codec'
import type { DataContext } from './Context.ts'
import { DataApiError } from './DataApiError.ts'

/** Returns a signature aggregator behind HTTP: Firn's, or any that has its route. */
export function createAggregatorClient(url: string, network: string): NonNullable<DataContext['aggregate']> {
  const route = `${url.replace(/\/+$/, '')}/v1/signatureAggregator/${network}/aggregateSignatures`
  return async ({ message, justification, signingSubnetID, pchainHeight }, signal) => {
    const body = JSON.stringify({
      message: Hex.encode(message),
      ...(justification.length === 0 ? {} : { justification: Hex.encode(justification) }),
      signingSubnetId: Id.format(signingSubnetID),
      pChainHeight: Number(pchainHeight),
    })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(route, { method: 'POST', headers, body, signal }).catch((cause: unknown) => {
      throw new DataApiError('DATA_UPSTREAM', 'the signature aggregator does not answer', { cause })
    })
    const answer = (await response.json().catch(() => ({}))) as { signedMessage?: string; message?: string }
    if (response.ok && typeof answer.signedMessage === 'string') return Hex.decodeAny(answer.signedMessage)
    const reason = answer.message ?? `HTTP ${response.status}`
    // Not enough signatures is nothing that asking again at once would change: clients repeat 5xx for minutes.
    throw new DataApiError('DATA_CONFLICT', `the message was not signed: ${reason}`)
  }
}
