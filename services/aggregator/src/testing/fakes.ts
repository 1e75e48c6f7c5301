import { SecretKey, type Signature, Signature as Signatures } from '@firn/bls'
import { Id, NodeId } from '@firn/codec'
import { Payload, UnsignedMessage, type ValidatorSet } from '@firn/warp'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { CurrentValidator, L1Validator, PChain, PeerAddress, Subnet } from '../p-chain/PChain.ts'
import type { PeerNetwork } from '../peers/PeerNetwork.ts'

/** Network id that all fakes use. */
export const NETWORK_ID = 12345
export const C_CHAIN = Id.hash(new TextEncoder().encode('C-chain'))
export const L1_CHAIN = Id.hash(new TextEncoder().encode('chain of an L1'))
export const L1_SUBNET = Id.hash(new TextEncoder().encode('an L1'))
export const CONVERSION = Id.hash(new TextEncoder().encode('its conversion'))

/** A validator with its secret key. */
export interface FakeValidator extends ValidatorSet.Node {
  readonly secretKey: SecretKey.SecretKey
  readonly publicKey: Uint8Array
}

/** Returns one validator for each weight. Keys are derived from the validator's index. */
export function createValidators(weights: readonly bigint[], seed = 1): readonly FakeValidator[] {
  return weights.map((weight, index) => {
    const secretKey = SecretKey.generate(new Uint8Array(32).fill(seed * 16 + index + 1))
    const nodeId = new Uint8Array(20).fill(seed * 16 + index + 1)
    return { nodeId, publicKey: SecretKey.publicKey(secretKey).compressed, weight, secretKey }
  })
}

/** Returns the signature of `message` by a validator from {@link createValidators}. */
export function sign(validator: FakeValidator, message: Uint8Array): Signature.Signature {
  return Signatures.sign(validator.secretKey, message)
}

/** A fake P-chain whose state a test can change. */
export interface FakePChain extends PChain {
  tip: bigint
  proposed: bigint
  /** Validator sets by subnet id (CB58). The sets are the same at every height. */
  readonly sets: Map<string, readonly ValidatorSet.Node[]>
  readonly chains: Map<string, Uint8Array>
  readonly subnets: Map<string, Subnet>
  /** L1 validations by id (CB58). */
  readonly validations: Map<string, L1Validator>
  readonly current: Map<string, readonly CurrentValidator[]>
  /** Fee of an L1 validator in nAVAX per second; undefined if unknown. */
  fee: bigint | undefined
  readonly addresses: PeerAddress[]
  /** Names of all calls so far, in order. */
  readonly calls: string[]
  /** While true, calls fail as if the upstream were down. */
  isDown: boolean
  /** If set, calls wait for this promise before they return. */
  gate: Promise<void> | undefined
}

export function createFakePChain(): FakePChain {
  const answer = async <T>(name: string, value: () => T): Promise<T> => {
    fake.calls.push(name)
    if (fake.gate !== undefined) await fake.gate
    if (fake.isDown)
      throw new AggregatorError('AGGREGATOR_UPSTREAM', 'the P-chain API returned no usable response: refused')
    return value()
  }
  const fake: FakePChain = {
    tip: 120n,
    proposed: 100n,
    sets: new Map([[Id.format(Id.EMPTY), createValidators([40n, 30n, 20n, 10n])]]),
    chains: new Map([
      [Id.format(C_CHAIN), Id.EMPTY],
      [Id.format(L1_CHAIN), L1_SUBNET],
    ]),
    subnets: new Map([[Id.format(L1_SUBNET), { isL1: true, conversionId: CONVERSION }]]),
    validations: new Map(),
    current: new Map(),
    fee: 512n,
    addresses: [],
    calls: [],
    isDown: false,
    gate: undefined,
    networkId: () => answer('networkId', () => NETWORK_ID),
    epochDurationSeconds: () => answer('epochDurationSeconds', () => 30),
    height: () => answer('height', () => fake.tip),
    proposedHeight: () => answer('proposedHeight', () => fake.proposed),
    validatorsAt: (subnetId, height) =>
      answer(`validatorsAt ${height}`, () =>
        height > fake.tip ? undefined : (fake.sets.get(Id.format(subnetId)) ?? []),
      ),
    subnetOf: (chainId) => answer('subnetOf', () => fake.chains.get(Id.format(chainId))),
    subnet: (subnetId) => answer('subnet', () => fake.subnets.get(Id.format(subnetId))),
    currentValidators: (subnetId) =>
      answer('currentValidators', () => fake.current.get(Id.format(subnetId)) ?? []),
    l1Validator: (validationId) => answer('l1Validator', () => fake.validations.get(Id.format(validationId))),
    validatorFee: () => answer('validatorFee', () => fake.fee),
    peers: (nodeIds) =>
      answer('peers', () => {
        const requested = new Set(nodeIds.map(NodeId.format))
        return fake.addresses.filter(({ nodeId }) => requested.has(NodeId.format(nodeId)))
      }),
  }
  return fake
}

/** A fake network whose connections a test opens and breaks. `onRequest` answers requests. */
export interface FakeNetwork extends PeerNetwork {
  /** NodeIDs (`NodeID-…`) of the connected nodes. */
  readonly connected: Set<string>
  readonly tracked: Set<string>
  readonly endpoints: Map<string, string>
  onRequest: PeerNetwork['request']
}

export function createFakeNetwork(): FakeNetwork {
  const fake: FakeNetwork = {
    connected: new Set(),
    tracked: new Set(),
    endpoints: new Map(),
    onRequest: async () => ({ kind: 'timeout' }),
    track: (nodeIds) => {
      for (const nodeId of nodeIds) fake.tracked.add(NodeId.format(nodeId))
    },
    untrack: (nodeIds) => {
      for (const nodeId of nodeIds) fake.tracked.delete(NodeId.format(nodeId))
    },
    addEndpoint: (nodeId, { host, port }) =>
      void fake.endpoints.set(NodeId.format(nodeId), `${host}:${port}`),
    connection: (nodeId) => {
      if (fake.connected.has(NodeId.format(nodeId))) return { state: 'connected' }
      return { state: 'disconnected', reason: 'connection refused' }
    },
    request: (nodeId, request, signal) => fake.onRequest(nodeId, request, signal),
    counters: { framesRead: 3 } as FakeNetwork['counters'],
  }
  return fake
}

/** Returns an unsigned Warp message of a chain. */
export function createMessage(
  sourceChainId: Uint8Array = C_CHAIN,
  networkId = NETWORK_ID,
  text = 'hello',
): Uint8Array {
  const payload = Payload.encode({
    type: 'AddressedCall',
    sourceAddress: new Uint8Array(20).fill(7),
    payload: new TextEncoder().encode(text),
  })
  return UnsignedMessage.encode({ networkID: networkId, sourceChainID: sourceChainId, payload })
}
