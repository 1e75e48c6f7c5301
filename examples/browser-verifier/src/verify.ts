import { createValidatorSource } from '@firn/rpc/client'
import { verifyMessage } from '@firn/warp'

/** Verifies a signed message (hex) with the validators that a node reports. Returns the verdict as a sentence. */
export async function verify(nodeUrl: string, signedMessage: string): Promise<string> {
  const result = await verifyMessage(signedMessage, createValidatorSource({ url: nodeUrl }))
  if (!result.ok) return `not valid: ${result.code}, ${result.reason}`
  const share = (100n * result.signedWeight) / result.totalWeight
  return `valid: ${share} % of the weight of subnet ${result.subnetId} signed at height ${result.height}`
}
