import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { SecretKey, Signature } from '@firn/bls'
import { Hex, Id, NodeId } from '@firn/codec'
import { SignedMessage, UnsignedMessage, ValidatorSet } from '@firn/warp'

/** A node's API, served from fixed data, and the keys of the only subnet's validators. */
export interface FakeNode {
  readonly url: string
  /** Signs a message with the validators at the given canonical indices. */
  sign(message: UnsignedMessage.UnsignedMessage, signers: readonly number[]): SignedMessage.SignedMessage
  close(): void
}

interface Request {
  readonly id: number
  readonly method: string
  readonly params: Record<string, string>
}

/** Epoch height of the fake node. The subnet has another validator set at every other height. */
const HEIGHT = '7'
const SUBNET = Id.format(new Uint8Array(32).fill(3))
/** Id of a chain of the Primary Network. */
export const C_CHAIN = new Uint8Array(32).fill(5)

/** Starts a node whose subnet validates `chainId` (32 bytes) with four validators of equal weight. */
export async function startNode(chainId: Uint8Array): Promise<FakeNode> {
  const secretKeys = [1, 2, 3, 4].map((seed) => SecretKey.generate(new Uint8Array(32).fill(seed)))
  const nodes = secretKeys.map((secretKey, index) => ({
    nodeId: new Uint8Array(20).fill(index + 1),
    publicKey: SecretKey.publicKey(secretKey).compressed,
    weight: 25n,
  }))
  const { validators } = ValidatorSet.create(nodes)
  const keys = validators.map(
    ({ nodeIds }) => secretKeys[(nodeIds[0]?.[0] as number) - 1] as SecretKey.SecretKey,
  )
  const members = nodes.map(({ nodeId, publicKey }) => [
    NodeId.format(nodeId),
    { publicKey: Hex.encode(publicKey), weight: '25' },
  ])
  const subnets: Readonly<Record<string, unknown>> = {
    [Id.format(chainId)]: { subnetID: SUBNET },
    [Id.format(C_CHAIN)]: { subnetID: Id.format(Id.EMPTY) },
  }
  const results: Readonly<Record<string, (params: Record<string, string>) => unknown>> = {
    'proposervm.getCurrentEpoch': () => ({ number: '1', startTime: '0', pChainHeight: HEIGHT }),
    'platform.validatedBy': (chain) => subnets[chain['blockchainID'] ?? ''],
    'platform.getValidatorsAt': ({ height }) => (height === HEIGHT ? Object.fromEntries(members) : {}),
  }
  const server = createServer(async (request, response) => {
    const { id, method, params } = (await json(request)) as Request
    const result = results[method]?.(params)
    const outcome = result === undefined ? { error: { code: -32_000, message: 'not found' } } : { result }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sign: (message, signers) => {
      const bytes = UnsignedMessage.encode(message)
      const signatures = signers.map((index) => Signature.sign(keys[index] as SecretKey.SecretKey, bytes))
      return SignedMessage.create(message, signers, Signature.aggregate(signatures).compressed)
    },
    close: () => server.close().closeAllConnections(),
  }
}
