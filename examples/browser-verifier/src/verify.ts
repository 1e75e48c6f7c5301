import { Hex, Id } from '@firn/codec'
import { InfoMethods, PlatformMethods } from '@firn/rpc'
import { createHttpClient } from '@firn/rpc/client'
import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'

/** Verifies a signed message (hex) with the validators that a node reports. Returns the verdict as a sentence. */
export async function verify(nodeUrl: string, signedMessage: string): Promise<string> {
  const message = SignedMessage.decode(Hex.decodeAny(signedMessage))
  const info = createHttpClient(InfoMethods, { url: nodeUrl, path: '/ext/info' })
  const platform = createHttpClient(PlatformMethods, { url: nodeUrl, path: '/ext/bc/P' })
  const blockchainId = message.unsigned.sourceChainID
  const [{ networkID: networkId }, { subnetID: subnetId }, { height }] = await Promise.all([
    info.call('info.getNetworkID'),
    platform.call('platform.validatedBy', { blockchainID: blockchainId }),
    platform.call('platform.getProposedHeight'),
  ])
  const nodes = await platform.call('platform.getValidatorsAt', { height, subnetID: subnetId })
  const validatorSet = ValidatorSet.fromNodeIds(nodes)
  const result = Verification.verify(message, { networkId, validatorSet, quorum: Quorum.DEFAULT })
  if (!result.ok) return `not valid: ${result.code}, ${result.reason}`
  const share = (100n * result.signedWeight) / result.totalWeight
  return `valid: ${share} % of the weight of subnet ${Id.format(subnetId)} signed at height ${height}`
}
