import { P2pError, type P2pErrorCode } from '@firn/p2p'
import { expect, it } from 'vitest'
import * as Connectivity from './Connectivity.ts'

const failed = (code: P2pErrorCode, message = 'why', details = {}) => new P2pError(code, message, { details })
const connections = (
  errors: Connectivity.Connections['errors'],
  own: Partial<Connectivity.Connections> = {},
): Connectivity.Connections => {
  const [count, connected] = [errors.length + 2, 2]
  const weights = { totalWeight: BigInt(count), connectedWeight: BigInt(connected) }
  return { voters: 'beacons', count, connected, ...weights, errors, ...own }
}
const problem = (...given: Parameters<typeof connections>) =>
  Connectivity.problem(connections(...given), 'firn/1.15.0')

it('reports nothing if more than half of the weight is connected', () => {
  const error = failed('P2P_SOCKET')
  expect(problem([error])).toBeUndefined()
  expect(problem([error, error])?.kind).toBe('unreachable')
  expect(problem([error, error], { totalWeight: 10n, connectedWeight: 6n })).toBeUndefined()
})

it.each([
  ['P2P_SOCKET', 'unreachable', /cannot be reached: why\. Check the network connection/],
  ['P2P_TLS', 'unreachable', /firewall allows outgoing TCP connections/],
  [
    'P2P_REMOTE_CLOSED',
    'closed',
    /version firn\/1\.15\.0, so they may require a later one\. Upgrade Firn\.$/,
  ],
  ['P2P_VERSION', 'version', /not compatible with firn\/1\.15\.0: why\. Upgrade Firn\.$/],
  ['P2P_NETWORK_ID', 'network', /another network: why\. Check --network-id/],
  ['P2P_WRONG_NODE_ID', 'identity', /why\. Check --bootstrap-ids and --bootstrap-ips/],
  ['P2P_CLOCK', 'clock', /clock of this machine is wrong\. Set the system time/],
] as const)('says what to do about %s', (code, kind, text) => {
  const found = problem([undefined, failed(code), undefined])
  expect(found?.kind).toBe(kind)
  expect(found?.text).toMatch(/^Cannot sync from peers: 2 of 5 beacons are connected, but more than half/)
  expect(found?.text).toMatch(text)
})

it('tells by how much the clock is wrong', () => {
  const clock = (theirs: bigint, now: bigint) => failed('P2P_CLOCK', 'clocks', { theirs, now })
  expect(problem([clock(1_000n, 700n), undefined])?.text).toContain('is 300 s behind theirs')
  expect(problem([clock(1_000n, 1_090n), undefined])?.text).toContain('is 90 s ahead of theirs')
})

it('names the most frequent reason, or that nobody has answered', () => {
  const [closed, socket] = [failed('P2P_REMOTE_CLOSED'), failed('P2P_SOCKET')]
  expect(problem([socket, closed, closed])?.kind).toBe('closed')
  expect(problem([undefined, undefined])).toMatchObject({
    kind: undefined,
    text: expect.stringContaining('have not answered yet'),
  })
})

it('tells the connected stake of validators', () => {
  const own = { voters: 'validators', totalWeight: 1_000n, connectedWeight: 415n } as const
  expect(problem([failed('P2P_SOCKET')], own)?.text).toContain(
    '2 of 3 validators, with 41 % of the stake, are connected',
  )
})
