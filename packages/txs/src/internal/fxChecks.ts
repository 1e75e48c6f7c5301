import type { AvmCredential } from '../avm/AvmCredential.ts'
import * as Nft from '../fx/Nft.ts'
import * as Owners from '../fx/Owners.ts'
import { TxsError } from '../TxsError.ts'

/**
 * Checks a value of any type of the X-chain's feature extensions by itself, as its `Verify` in the node does.
 * @throws TxsError `TXS_NO_VALUE`, `TXS_PAYLOAD`, `TXS_INDICES_ORDER`, and those of {@link Owners.assertValid}
 */
export function assertFxValue(value: AvmCredential): void {
  switch (value.type) {
    case 'Credential':
    case 'NftCredential':
    case 'PropertyCredential':
      return
    case 'TransferInput':
      return Owners.assertInput(value)
    case 'TransferOutput':
      return Owners.assertOutput(value)
    case 'MintOperation':
      Owners.assertIndices(value.mintInput)
      Owners.assertValid(value.mintOutput)
      return Owners.assertOutput(value.transferOutput)
    case 'NftTransferOutput':
      return assertToken(value)
    case 'NftMintOperation':
      assertPayload(value.payload)
      value.outputs.forEach(Owners.assertValid)
      return Owners.assertIndices(value.mintInput)
    case 'NftTransferOperation':
      Owners.assertIndices(value.input)
      return assertToken(value.output)
    case 'PropertyMintOperation':
      Owners.assertIndices(value.mintInput)
      Owners.assertValid(value.mintOutput)
      return Owners.assertValid(value.ownedOutput)
    case 'PropertyBurnOperation':
      return Owners.assertIndices(value)
    default:
      return Owners.assertValid(value)
  }
}

function assertToken(output: Nft.TransferOutput): void {
  assertPayload(output.payload)
  Owners.assertValid(output)
}

function assertPayload({ length }: Uint8Array): void {
  if (length <= Nft.MAX_PAYLOAD) return
  throw new TxsError('TXS_PAYLOAD', `expected a payload of at most ${Nft.MAX_PAYLOAD} bytes, got ${length}`, {
    details: { maximum: Nft.MAX_PAYLOAD, actual: length },
  })
}
