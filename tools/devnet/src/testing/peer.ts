import { ProofOfPossession, SecretKey } from '@firn/bls'
import { createNetwork, Identity, type Network } from '@firn/p2p'
import type { RecordedDevnet } from '../recorded/RecordedDevnet.ts'

/** Connects an unstaked peer to all validators of a devnet that serves blocks. */
export async function connectPeer({ networkId, validators }: RecordedDevnet): Promise<Network> {
  const secretKey = SecretKey.generate(new Uint8Array(32).fill(9))
  const blsSign = (message: Uint8Array) => ProofOfPossession.sign(secretKey, message).compressed
  const network = createNetwork({
    networkId,
    identity: Identity.create({ blsSign }),
    discovery: false,
  })
  for (const { nodeId, address } of validators) network.addEndpoint(nodeId, address)
  network.track(validators.map(({ nodeId }) => nodeId))
  await Promise.all(validators.map(({ nodeId }) => network.connected(nodeId)))
  return network
}
