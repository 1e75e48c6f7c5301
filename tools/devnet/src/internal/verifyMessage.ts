import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { DevnetError } from '../DevnetError.ts'
import { key, nodesOf, type State } from '../State.ts'

/**
 * Checks that a quorum of the source chain's validators signed a Warp message to the P-chain. `state` is the P-chain's
 * state at the height of the epoch.
 * @throws DevnetError `DEVNET_TRANSACTION`; CodecError if the message is malformed
 */
export function verifyMessage(message: Uint8Array, state: State): void {
  const signed = SignedMessage.decode(message)
  const chain = state.chains.get(key(signed.unsigned.sourceChainID))
  if (chain === undefined) throw refused(`the source chain does not exist at P-chain height ${state.height}`)
  const validatorSet = ValidatorSet.create(nodesOf(state, chain.subnetId))
  const { networkId } = state
  const result = Verification.verify(signed, { networkId, validatorSet, quorum: Quorum.DEFAULT })
  if (!result.ok) throw refused(`${result.reason} (by the validators at P-chain height ${state.height})`)
}

function refused(message: string): DevnetError {
  return new DevnetError('DEVNET_TRANSACTION', `invalid Warp message: ${message}`)
}
