import { Hex, Id, isFirnError } from '@firn/codec'
import { InfoMethods, isRpcError, PlatformMethods } from '@firn/rpc'
import { createHttpClient } from '@firn/rpc/client'
import { Quorum, SignedMessage, UnsignedMessage, ValidatorSet, Verification } from '@firn/warp'

/** What a valid message contains, or why a message is rejected. */
export type Verdict =
  | { readonly ok: true; readonly messageId: string; readonly sourceChain: string; readonly payload: string }
  | { readonly ok: false; readonly code: string; readonly reason: string }

/** Verifies a signed message (hex) with the current validators of its source chain. */
export async function verify(nodeUrl: string, signedMessage: string): Promise<Verdict> {
  try {
    const message = SignedMessage.decode(Hex.decodeAny(signedMessage))
    const { unsigned } = message
    const result = Verification.verify(message, await readContext(nodeUrl, unsigned.sourceChainID))
    if (!result.ok) return { ok: false, code: result.code, reason: result.reason }
    return {
      ok: true,
      messageId: Hex.encode(UnsignedMessage.id(unsigned)),
      sourceChain: Id.format(unsigned.sourceChainID),
      payload: Hex.encode(unsigned.payload),
    }
  } catch (error) {
    // The message is malformed, or the node does not know its source chain. Other failures are the node's.
    const isOfMessage = isRpcError(error) ? error.code === 'RPC_REMOTE' : isFirnError(error)
    if (isOfMessage && isFirnError(error)) return { ok: false, code: error.code, reason: error.message }
    throw error
  }
}

/** Reads the network and the validators that sign for a chain. */
async function readContext(url: string, blockchainId: Uint8Array): Promise<Verification.Context> {
  const info = createHttpClient(InfoMethods, { url, path: '/ext/info' })
  const platform = createHttpClient(PlatformMethods, { url, path: '/ext/bc/P' })
  const [{ networkID: networkId }, { subnetID: subnetId }, { height }] = await Promise.all([
    info.call('info.getNetworkID'),
    platform.call('platform.validatedBy', { blockchainID: blockchainId }),
    platform.call('platform.getProposedHeight'),
  ])
  const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnetId })
  return { networkId, validatorSet: ValidatorSet.fromNodeIds(nodes), quorum: Quorum.DEFAULT }
}
