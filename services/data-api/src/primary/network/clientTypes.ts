import type { UnsignedTx } from '@firn/txs'
import type { Body, Endpoint, Version } from '../../http/endpoint/Endpoint.ts'

/** Names of transaction types that published official clients do not know. */
const NEW: readonly string[] = [
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
] satisfies readonly UnsignedTx.TxType[]

/** User agents of the official clients that reject answers with an unknown type, and so the whole page. */
const STRICT_CLIENTS =
  /^speakeasy-sdk\/typescript 0\.(?:[0-3]\.\S+ .*@avalanche-sdk\/chainkit|(?:\d|1[0-3])\.\S+ .*@avalabs\/avacloud-sdk)/

/** Returns transactions with the type `UNKNOWN` instead of types that the caller's client does not know. */
export function forClient(transactions: readonly Body[], userAgent: string): readonly Body[] {
  if (!STRICT_CLIENTS.test(userAgent)) return transactions
  return transactions.map((body) => {
    const { txType } = body as { readonly txType: string }
    return NEW.includes(txType) ? { ...(body as object), txType: 'UNKNOWN' } : body
  })
}

/** Returns the members of an endpoint whose answers depend on the caller's client, as {@link forClient} does. */
export function perClient(version: Version): Required<Pick<Endpoint, 'version' | 'isPerClient'>> {
  return {
    version: async (call) => `${await version(call)}${STRICT_CLIENTS.test(call.userAgent) ? ' strict' : ''}`,
    isPerClient: true,
  }
}

/** Returns the names of the transaction types for which a filter by `type` asks. */
export function namesOfType(type: string): readonly string[] {
  return type === 'UNKNOWN' ? NEW : [type]
}
