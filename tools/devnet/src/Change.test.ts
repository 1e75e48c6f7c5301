import { L1Message, ValidationId } from '@firn/warp'
import { expect, test } from 'vitest'
import { accept, type Change, emptyState } from './Change.ts'
import { key, nodesOf, type State } from './State.ts'

const fill = (byte: number, length = 32): Uint8Array => new Uint8Array(length).fill(byte)
const NOW = 1_000n
const validator = (byte: number) => ({ nodeID: fill(byte, 20), blsPublicKey: fill(byte, 48), weight: 10n })
const CONVERT: Change = {
  kind: 'convert',
  data: {
    subnetID: fill(1),
    managerChainID: fill(2),
    managerAddress: fill(3, 20),
    validators: [validator(4), validator(5)],
  },
  balances: [7n],
}
const registration = (fields: object): Uint8Array =>
  L1Message.encode({
    type: 'RegisterL1Validator',
    subnetID: fill(1),
    nodeID: fill(9, 20),
    blsPublicKey: fill(9, 48),
    expiry: NOW + 1n,
    remainingBalanceOwner: { threshold: 0, addresses: [] },
    disableOwner: { threshold: 0, addresses: [] },
    weight: 5n,
    ...fields,
  })
const after = (...changes: readonly Change[]): State =>
  accept(emptyState(1, NOW), [{ kind: 'create-subnet', subnetId: fill(1) }, CONVERT, ...changes], NOW)
const first = ValidationId.initial(fill(1), 0)
const second = ValidationId.initial(fill(1), 1)

test("applies weight changes, balance changes and removals to the L1's nodes", () => {
  const nodes = (state: State) =>
    nodesOf(state, fill(1)).map(({ nodeId, publicKey, weight }) => [
      nodeId[0],
      publicKey?.[0] ?? null,
      weight,
    ])
  expect(nodes(after())).toEqual([
    [4, 4, 10n],
    [0, null, 10n],
  ])
  expect(nodes(after({ kind: 'set-balance', validationId: second, balance: 1n }))).toEqual([
    [4, 4, 10n],
    [5, 5, 10n],
  ])
  expect(nodes(after({ kind: 'set-weight', validationId: second, nonce: 0n, weight: 0n }))).toEqual([
    [4, 4, 10n],
  ])
  const changed = after({ kind: 'set-weight', validationId: first, nonce: 6n, weight: 3n })
  expect(changed.l1Validators.get(key(first))).toMatchObject({ weight: 3n, minNonce: 7n })
})

test.each<[string, readonly Change[]]>([
  ['a second conversion', [CONVERT]],
  [
    'a chain of an unknown subnet',
    [{ kind: 'create-chain', subnetId: fill(8), chainId: fill(9), name: 'x' }],
  ],
  [
    'a registration that came too late',
    [{ kind: 'register', message: registration({ expiry: NOW }), balance: 1n }],
  ],
  [
    'a registration on a subnet that is not an L1',
    [{ kind: 'register', message: registration({ subnetID: fill(8) }), balance: 1n }],
  ],
  [
    'a node that is already a validator',
    [{ kind: 'register', message: registration({ nodeID: fill(4, 20) }), balance: 1n }],
  ],
  [
    'a registration that was removed',
    [
      { kind: 'register', message: registration({}), balance: 1n },
      { kind: 'set-weight', validationId: ValidationId.registered(registration({})), nonce: 0n, weight: 0n },
      { kind: 'register', message: registration({}), balance: 1n },
    ],
  ],
  [
    'an old nonce',
    [
      { kind: 'set-weight', validationId: first, nonce: 6n, weight: 3n },
      { kind: 'set-weight', validationId: first, nonce: 6n, weight: 4n },
    ],
  ],
  [
    'a weight change of an unknown validator',
    [{ kind: 'set-weight', validationId: fill(8), nonce: 0n, weight: 1n }],
  ],
  [
    'the removal of the last validator',
    [
      { kind: 'set-weight', validationId: first, nonce: 0n, weight: 0n },
      { kind: 'set-weight', validationId: second, nonce: 0n, weight: 0n },
    ],
  ],
])('rejects %s', (_name, changes) => {
  expect(() => after(...changes)).toThrow(expect.objectContaining({ code: 'DEVNET_CHANGE' }))
})
