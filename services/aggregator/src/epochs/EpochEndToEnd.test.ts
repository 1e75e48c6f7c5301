import { Hex, Id } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { until } from '@firn/runtime/testing'
import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, startService } from '../testing/devnet.ts'

const NODES = 8
const ROUNDS = 12
const SECONDS = 1_000

let devnet: Devnet
let bench: Bench
let now = Date.now()

beforeAll(async () => {
  devnet = await createDevnet({
    validators: NODES,
    now: () => now,
    proposedLagMs: 10 * SECONDS,
    epochDurationMs: 60 * SECONDS,
  })
  const { c } = devnet.chains
  bench = await startService(devnet, {
    chainRpc: `${Id.format(c.id)}=${devnet.rpcUrl}/ext/bc/C/rpc`,
    // The nodes stay connected while they are not validators.
    manuallyTrackedPeers: devnet.validators.map(({ nodeIdText, address }) => ({
      id: nodeIdText,
      ip: `127.0.0.1:${address.port}`,
    })),
  })
  await until(async () => {
    const { subnets } = (await bench.health()).body
    expect(subnets).toMatchObject([{ connectedValidators: NODES }])
  })
})
afterAll(async () => {
  await bench.service.close()
  await devnet.close()
})

/** Accepts a block of every chain after some time. Returns its time and the height at which it verifies messages. */
function block(seconds: number, changes: Parameters<Devnet['advance']>[0] = []) {
  now += seconds * SECONDS
  const height = devnet.timeline.epoch().pChainHeight
  devnet.advance(changes)
  return { time: Number(devnet.state.time), height }
}

/** Makes nodes validators or removes them. */
function change(round: number, offset: number) {
  const index = (round * 3 + offset) % NODES
  const validator = devnet.validators[index]
  if (validator === undefined) throw new RangeError(`no validator ${index}`)
  const { nodeId, publicKey } = validator
  const isValidator = validator.weight > 0n
  return { kind: 'set-primary', nodeId, publicKey, weight: isValidator ? 0n : 5n + BigInt(index) } as const
}

const setAt = (height: bigint) => {
  const primary = devnet.timeline.at(height)?.primary
  if (primary === undefined) throw new RangeError(`no height ${height}`)
  return ValidatorSet.create([...primary.values()])
}

/** Verifies a signed message as the C-chain does in a block with the given height. */
function verifies(signedMessage: string, height: bigint): boolean {
  return Verification.verify(SignedMessage.decode(Hex.decodeBare(signedMessage)), {
    networkId: devnet.networkId,
    validatorSet: setAt(height),
    quorum: Quorum.DEFAULT,
  }).ok
}

/** Returns whether a key has another index after a change. */
function isShifted(before: bigint, after: bigint): boolean {
  const keys = (height: bigint) =>
    setAt(height).validators.map(({ publicKey }) => Hex.encodeBare(publicKey.compressed))
  const later = keys(after)
  return keys(before).some((key, index) => later.includes(key) && later.indexOf(key) !== index)
}

interface Entry {
  readonly pChainHeight: string
  readonly lastPChainHeight: string
  readonly signedMessage: string
  readonly notBefore: number
  readonly earliestExpiry: number
}

/** Warnings that the devnet gives no reason for. */
const UNEXPECTED = ['candidate-not-signed', 'no-epoch', 'heights-unknown']

/** Asks for a message twice: for a destination, and at the proposed height. */
async function sign(round: number) {
  const { c } = devnet.chains
  const message = Hex.encode(devnet.acceptMessage({ chain: c, payload: Uint8Array.of(round) }))
  const { status, body } = await bench.ask({ message, destinationChain: Id.format(c.id) })
  expect(status).toBe(200)
  const codes = body.warnings.map(({ code }: { code: string }) => code)
  expect(codes.filter((code: string) => UNEXPECTED.includes(code))).toEqual([])
  const pChainHeight = Number(devnet.timeline.proposedHeight(now))
  const proposed: string = (await bench.ask({ message, pChainHeight })).body.signedMessage
  return { entries: body.signedMessages as readonly Entry[], current: body.signedMessage as string, proposed }
}

it('returns messages that verify at the height of each epoch, where messages for the proposed height fail', async () => {
  const weights = devnet.validators.map(({ nodeId, publicKey, index }) => {
    return { kind: 'set-primary', nodeId, publicKey, weight: index < 6 ? 10n : 0n } as const
  })
  for (const changes of [weights, [], []]) block(60, changes)
  const counts = { changes: 0, shifts: 0, current: 0, next: 0, failures: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const start = devnet.state.height
    block(20, [change(round, 0)])
    block(12, round % 2 === 0 ? [] : [change(round, 1)])
    for (let height = start; height < devnet.state.height; height++) {
      if (!isChanged(height)) continue
      counts.changes++
      if (isShifted(height, height + 1n)) counts.shifts++
    }
    now += 12 * SECONDS
    const { pChainHeight } = devnet.timeline.epoch()
    const { entries, current, proposed } = await sign(round)
    expect(entries[0]).toMatchObject({ signedMessage: current, pChainHeight: `${pChainHeight}` })
    // The first block is in the epoch, the second one seals it, and the third one is in the next epoch.
    for (const { time, height } of [block(10), block(14), block(1)]) {
      // The set has not changed since the request, so the newest message is also for later heights.
      const entry = entries.findLast((one) => BigInt(one.pChainHeight) <= height) as Entry
      if (time < entry.notBefore || time >= entry.earliestExpiry) continue
      expect(verifies(entry.signedMessage, height), `round ${round}, height ${height}`).toBe(true)
      counts[entry === entries[0] ? 'current' : 'next']++
      if (!verifies(proposed, height)) counts.failures++
    }
  }
  expect(counts.current).toBe(ROUNDS)
  expect(counts.next).toBeGreaterThanOrEqual(ROUNDS / 2)
  expect(counts.changes).toBeGreaterThanOrEqual(ROUNDS)
  expect(counts.shifts * 2).toBeGreaterThanOrEqual(counts.changes)
  expect(counts.failures).toBeGreaterThanOrEqual(ROUNDS / 2)
})

/** Returns whether the validators at the next height have other keys or weights. */
function isChanged(height: bigint): boolean {
  const facts = (at: bigint) =>
    setAt(at).validators.map(({ publicKey, weight }) => `${Hex.encodeBare(publicKey.compressed)} ${weight}`)
  return facts(height).join() !== facts(height + 1n).join()
}
