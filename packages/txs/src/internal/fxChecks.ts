import type { AvmCredential } from '../avm/AvmCredential.ts'
import * as Nft from '../fx/Nft.ts'
import * as Owners from '../fx/Owners.ts'
import { TxsError } from '../TxsError.ts'

/**
 * Checks a value of any type of the X-chain's feature extensions, as `Verify` of that type does in the node.
 * @throws TxsError `TXS_NO_VALUE`, `TXS_PAYLOAD`, `TXS_INDICES_ORDER`, and the errors of {@link
 * Owners.assertValid}
 */
export function assertFxValue(value: AvmCredential): void {
  if ('payload' in value) assertPayload(value.payload)
  if ('amount' in value && value.amount === 0n) {
    throw new TxsError('TXS_NO_VALUE', 'expected an amount above 0, got 0')
  }
  if ('signatureIndices' in value) Owners.assertIndices(value)
  if ('addresses' in value) Owners.assertValid(value)
  if ('mintInput' in value) Owners.assertIndices(value.mintInput)
  if ('mintOutput' in value) Owners.assertValid(value.mintOutput)
  if (value.type === 'MintOperation') Owners.assertOutput(value.transferOutput)
  if (value.type === 'PropertyMintOperation') Owners.assertValid(value.ownedOutput)
  if (value.type === 'NftMintOperation') value.outputs.forEach(Owners.assertValid)
  if (value.type !== 'NftTransferOperation') return
  Owners.assertIndices(value.input)
  assertPayload(value.output.payload)
  Owners.assertValid(value.output)
}

function assertPayload({ length }: Uint8Array): void {
  if (length <= Nft.MAX_PAYLOAD) return
  throw new TxsError('TXS_PAYLOAD', `expected a payload of at most ${Nft.MAX_PAYLOAD} bytes, got ${length}`, {
    details: { maximum: Nft.MAX_PAYLOAD, actual: length },
  })
}
