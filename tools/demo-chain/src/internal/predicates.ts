import { Bytes, Hex, Id } from '@firn/codec'
import { createClient, isRpcError, PlatformMethods, ProposerVmMethods } from '@firn/rpc'
import { Payload, Predicate, Quorum, SignedMessage, ValidatorSet, Verification, WarpEvent } from '@firn/warp'
import { type Hex as HexText, parseTransaction } from 'viem'

/** The message in a predicate: its source chain (32 bytes), sender (20 bytes) and payload. */
export interface Received {
  readonly sourceChainId: Uint8Array
  readonly sender: Uint8Array
  readonly payload: Uint8Array
}

/** Verifies the predicates of transactions. */
export interface Predicates {
  /**
   * Returns the message of each predicate of a raw transaction, and undefined for those that fail verification.
   * @throws WarpError or CodecError if a predicate does not decode; RpcError if the node's API fails
   */
  verify(raw: HexText): Promise<readonly (Received | undefined)[]>
}

/** The chain that receives the messages, and the node whose P-chain it uses. */
export interface Receiver {
  readonly networkId: number
  readonly blockchainId: Uint8Array
  readonly nodeUrl: string
}

/** Creates the verification of predicates with validator sets at the receiver's epoch height. */
export function createPredicates({ networkId, blockchainId, nodeUrl }: Receiver): Predicates {
  const platform = createClient(PlatformMethods, { url: `${nodeUrl}/ext/bc/P` })
  const proposerVm = createClient(ProposerVmMethods, {
    url: `${nodeUrl}/ext/bc/${Id.format(blockchainId)}/proposervm`,
  })

  const subnetOf = async (chainId: Uint8Array): Promise<Uint8Array> =>
    (await platform.call('platform.validatedBy', { blockchainID: chainId })).subnetID

  const signersOf = async (sourceChainId: Uint8Array): Promise<ValidatorSet.ValidatorSet> => {
    const { pChainHeight: height } = await proposerVm.call('proposervm.getCurrentEpoch')
    const source = await subnetOf(sourceChainId)
    // The receiver's own validators sign the messages of the Primary Network's chains.
    const subnetId = Bytes.isZero(source) ? await subnetOf(blockchainId) : source
    const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnetId })
    return ValidatorSet.fromNodeIds(nodes)
  }

  const verifyOne = async (words: readonly Uint8Array[]): Promise<Received | undefined> => {
    const message = SignedMessage.decode(Predicate.decode(words))
    const { sourceChainID: sourceChainId } = message.unsigned
    const payload = Payload.decode(message.unsigned.payload)
    const validatorSet = await signersOf(sourceChainId).catch(unknownChain)
    if (validatorSet === undefined || payload.type !== 'AddressedCall') return undefined
    const { ok } = Verification.verify(message, { networkId, validatorSet, quorum: Quorum.DEFAULT })
    return ok ? { sourceChainId, sender: payload.sourceAddress, payload: payload.payload } : undefined
  }

  return {
    verify: (raw) => {
      const { accessList = [] } = parseTransaction(raw)
      const own = accessList.filter(({ address }) => Bytes.equals(Hex.decode(address), WarpEvent.ADDRESS))
      return Promise.all(own.map(({ storageKeys }) => verifyOne(storageKeys.map(Hex.decode))))
    },
  }
}

/** Returns undefined if the node does not know the source chain. Throws every other error. */
function unknownChain(error: unknown): undefined {
  if (!isRpcError(error) || error.code !== 'RPC_REMOTE') throw error
}
