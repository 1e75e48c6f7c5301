import { ProofOfPossession, SecretKey } from '@firn/bls'
import { type AppAnswer, createNetwork, HandlerPrefix, Identity, type Network } from '@firn/p2p'
import { Acp118 } from '@firn/warp'
import type { Devnet, DevnetValidator } from '../index.ts'

/**
 * Creates a client that is connected to all validators of a devnet. It learns unknown addresses by gossip.
 */
export async function connect(
  devnet: Devnet,
  known: readonly DevnetValidator[] = devnet.validators,
): Promise<Network> {
  const secretKey = SecretKey.generate(new Uint8Array(32).fill(9))
  const identity = Identity.create({
    blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
  })
  const network = createNetwork({
    networkId: devnet.networkId,
    identity,
    ...(known.length < devnet.validators.length ? {} : { discovery: false }),
  })
  for (const { nodeId, address } of known) network.addEndpoint(nodeId, address)
  network.track(devnet.validators.map(({ nodeId }) => nodeId))
  await Promise.all(devnet.validators.map(({ nodeId }) => network.connected(nodeId)))
  return network
}

/** The signature request to send. */
export interface Ask {
  readonly chainId: Uint8Array
  readonly message: Uint8Array
  readonly justification?: Uint8Array
  readonly deadlineMs?: number
}

/** Requests a signature from one validator and returns the unparsed response. */
export function ask(
  network: Network,
  validator: Pick<DevnetValidator, 'nodeId'>,
  request: Ask,
): Promise<AppAnswer> {
  const { chainId, message, justification = new Uint8Array(0), deadlineMs = 2_000 } = request
  const bytes = HandlerPrefix.prepend(
    HandlerPrefix.SIGNATURE_REQUEST,
    Acp118.encodeRequest({ message, justification }),
  )
  return network.request(validator.nodeId, { chainId, bytes, deadlineMs })
}

/** Returns the signature bytes in a response. */
export function signatureOf(answer: AppAnswer): Uint8Array {
  return answer.kind === 'response' ? Acp118.decodeResponse(answer.bytes).signature : new Uint8Array(0)
}
