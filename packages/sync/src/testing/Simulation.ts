import { Bytes, Hex } from '@firn/codec'
import type { Clock } from '@firn/runtime'
import { createFakeClock } from '@firn/runtime/testing'
import type { Block } from '../BlockStore.ts'
import { bootstrap } from '../Bootstrap.ts'
import { fetchVertices, orderedVertices } from '../Dag.ts'
import { follow } from '../Follow.ts'
import type { Checkpoint, Tip } from '../Tip.ts'
import type { Transport } from '../Transport.ts'
import { HOSTILE } from './Lies.ts'
import * as MemoryStore from './MemoryStore.ts'
import * as MemoryVertexStore from './MemoryVertexStore.ts'
import * as Random from './Random.ts'
import * as SimulatedChain from './SimulatedChain.ts'
import * as SimulatedDag from './SimulatedDag.ts'
import * as SimulatedNetwork from './SimulatedNetwork.ts'

/** What happened in a run, by name of the event. */
export type Counts = Map<string, number>

/** The time without progress after which a run has stalled. */
const STALL_MS = 60_000
/** The simulated time after which a run must be complete. */
const LIMIT_MS = 3_600_000

/** Thrown when a run shows an error of the sync. */
export class SimulationFailure extends RangeError {}

/**
 * Runs one sync of a network that is made from the seed, with faults, and kills it several times. Returns what was thrown
 * at it.
 *
 * @throws SimulationFailure if a block is wrong, or the sync stalls or does not end
 */
export async function run(seed: number): Promise<Counts> {
  const random = Random.create(seed)
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const counts: Counts = new Map()
  const count = (event: string, amount = 1) => counts.set(event, (counts.get(event) ?? 0) + amount)
  const fail = (message: string): never => {
    throw new SimulationFailure(`seed ${seed}: ${message}`)
  }

  const clock = createFakeClock()
  const length = between(220, 330)
  const initial = length - between(0, 20)
  const chain = SimulatedChain.create({ random, length, proposervmHeight: between(1, 120) })
  const forkHeight = between(1, initial - 1)
  const fork = SimulatedChain.fork(chain, forkHeight, between(1, 40), random)
  const blockMs = between(100, 3_000)
  const dag = seed % 3 === 0 ? SimulatedDag.create(random, between(200, 260)) : undefined
  const isSampled = random() < 0.25
  const nodes = createNodes(random, isSampled)
  const network = SimulatedNetwork.create({
    clock,
    random,
    nodes,
    chain,
    fork,
    acceptedAt: (height) => (height <= initial ? Number.NEGATIVE_INFINITY : (height - initial) * blockMs),
    loss: random() < 0.5 ? 0 : random() * 0.15,
    maxContainers: between(5, 60),
    ...(dag && { vertices: (id: Uint8Array, limit: number) => SimulatedDag.ancestors(dag, id, limit) }),
    count,
  })
  const checkpoints = createCheckpoints(random, chain, fork, count)
  count('nodes', nodes.length)
  count('hostile nodes', nodes.filter(({ hostile }) => hostile !== undefined).length)
  count('forks')
  count('blocks', length)
  if (dag !== undefined) count('runs with a DAG')

  const root: Tip = { id: (chain.blocks[0] as Block).id, height: 0n }
  const disk = MemoryStore.createDisk()
  const vertexDisk: MemoryVertexStore.VertexDisk = new Map()
  const assertRight = (from: bigint, to: bigint) => {
    for (let height = from; height <= to; height++) {
      const block = disk.blocks.get(height)
      const right = chain.blocks[Number(height)]
      if (block === undefined) fail(`block ${height} is missing below the tip`)
      else if (right === undefined || !Bytes.equals(block.bytes, right.bytes))
        fail(`block ${height} is wrong`)
    }
  }

  let verified = root
  const accept = (from: bigint, tip: Tip) => {
    assertRight(from, tip.height)
    if (!Bytes.equals(tip.id, (chain.blocks[Number(tip.height)] as Block).id)) fail('the tip is wrong')
    verified = tip
  }
  let kills = random() < 0.3 ? 0 : between(1, 5)
  let phase = 'none'
  let progress = 0
  /** Runs the sync until it has the whole chain, or until it is killed. Returns whether it has. */
  const attempt = async (): Promise<boolean> => {
    const session = createSession(
      kills > 0 ? between(1, random() < 0.5 ? 150 : 1_500) : Number.POSITIVE_INFINITY,
      random() < 0.3,
    )
    kills -= 1
    const { signal } = session
    const steps = {
      chain: 'P' as const,
      chainId: SimulatedChain.CHAIN_ID,
      transport: session.transport(network.transport),
      clock: session.clock(clock),
      random,
      voters: () => nodes,
      verify: SimulatedChain.verify,
      signal,
      options: {
        closeEnough: 3n,
        ...(isSampled && { maxVoters: 10 }),
        ...(random() < 0.3 && { maxRequests: 2 }),
      },
      onDropped: (nodeId: Uint8Array, reason: string) => {
        count(`dropped: ${reason}`)
        const node = nodes.find((one) => Bytes.equals(one.nodeId, nodeId))
        if (node?.hostile === undefined) fail(`an honest peer was dropped: ${reason}`)
      },
      onConflict: () => count('conflicts with the accepted chain'),
      onProgress: ({ phase: now }: { phase: string }) => {
        if (now !== phase && now === 'connecting') progress += 1
        phase = now
      },
    }
    const io = () => session.pass(clock.sleep(random() * 5))
    const work = async () => {
      if (dag !== undefined) {
        const store = MemoryVertexStore.open(vertexDisk, io)
        await fetchVertices({ ...steps, stopVertexId: dag.stopVertexId, store })
      }
      const store = MemoryStore.open(disk, io)
      const from = random() < 0.5 ? root : verified
      const tip = await bootstrap({ ...steps, root: from, checkpoints, store })
      accept(from.height + 1n, tip)
      if (verified.height === BigInt(length)) return
      for await (const advance of follow({ ...steps, tip, store })) {
        if (advance.from !== verified.height + 1n) fail('the blocks that were followed have a gap')
        accept(advance.from, advance.tip)
        count('blocks followed', Number(advance.tip.height - advance.from) + 1)
        if (verified.height === BigInt(length)) return
      }
    }
    const synced = work()
    const result = await Promise.race([synced.catch((error) => error), session.ended])
    if (result === ENDED || (result === signal.reason && signal.aborted)) {
      count(session.isStopped ? 'stops' : 'kills')
      if (!session.isStopped) return false
      const outcome = await synced.catch((error) => error)
      if (outcome !== signal.reason) fail(`a stop did not end the sync, but ${outcome}`)
      return false
    }
    await synced
    return true
  }

  const sync = async () => {
    while (!(await attempt()));
    assertRight(1n, BigInt(length))
    if (dag !== undefined) await assertDag(dag, vertexDisk, fail)
    count('vertices', vertexDisk.size)
  }
  let isDone = false
  const watch = async () => {
    let last = { at: 0, mark: '' }
    while (!isDone) {
      await clock.sleep(1_000)
      const mark = `${disk.blocks.size} ${vertexDisk.size} ${phase === 'connecting'} ${progress} ${kills}`
      if (mark !== last.mark || phase === 'connecting' || !network.isReachable())
        last = { at: clock.now(), mark }
      if (clock.now() - last.at > STALL_MS) fail(`no progress for ${STALL_MS} ms while ${phase}`)
      if (clock.now() > LIMIT_MS) fail('not complete after an hour')
    }
  }
  const finished = sync().finally(() => {
    isDone = true
  })
  await clock.run(Promise.race([finished, watch().then(() => finished)]))
  count('simulated seconds', Math.round(clock.now() / 1_000))
  return counts
}

/** Checks that the store has exactly the vertices of the DAG, and that they come after their parents. */
async function assertDag(
  { stopVertexId, vertices }: SimulatedDag.SimulatedDag,
  disk: MemoryVertexStore.VertexDisk,
  fail: (message: string) => never,
): Promise<void> {
  const seen = new Set<string>()
  let last: Uint8Array | undefined
  for await (const page of orderedVertices(MemoryVertexStore.open(disk))) {
    for (const { bytes, id, parentIds } of page) {
      const right = vertices.get(Hex.encodeBare(id))
      if (right === undefined || !Bytes.equals(right.bytes, bytes)) fail('a vertex is wrong')
      if (!parentIds.every((parentId) => seen.has(Hex.encodeBare(parentId)))) fail('a parent comes later')
      seen.add(Hex.encodeBare(id))
      last = id
    }
  }
  if (seen.size !== vertices.size) fail(`got ${seen.size} of ${vertices.size} vertices`)
  if (last === undefined || !Bytes.equals(last, stopVertexId)) fail('the last vertex is not the stop vertex')
}

const ENDED = Symbol('ended')

/**
 * One life of the process. After `steps` steps it is killed, so that nothing that it started has a further effect; or
 * stopped, by an abort of its signal.
 */
function createSession(steps: number, isStopped: boolean) {
  const controller = new AbortController()
  let left = steps
  let end: (value: typeof ENDED) => void = () => undefined
  const ended = new Promise<typeof ENDED>((resolve) => {
    end = resolve
  })
  const isDead = () => left <= 0 && !isStopped
  /** Counts a step. The result stays pending if the process is killed before `promise` is settled. */
  const pass = <T>(promise: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      left -= 1
      if (left === 0) {
        if (isStopped) controller.abort(new RangeError('stopped'))
        end(ENDED)
      }
      promise.then(
        (value) => {
          if (!isDead()) resolve(value)
        },
        (error) => {
          if (!isDead()) reject(error)
        },
      )
    })
  return {
    signal: controller.signal,
    ended,
    isStopped,
    pass,
    transport: (transport: Transport): Transport => ({
      connected: () => transport.connected(),
      ask: (kind, nodeId, request, signal) => pass(transport.ask(kind, nodeId, request, signal)),
    }),
    clock: (clock: Clock): Clock => ({
      now: clock.now,
      sleep: (ms, signal) => pass(clock.sleep(ms, signal)),
    }),
  }
}

/** Returns at least 20 nodes. The hostile ones have less than half of the weight, and so do the ones that are down. */
function createNodes(random: () => number, isSampled: boolean): readonly SimulatedNetwork.SimulatedNode[] {
  const amount = 20 + Math.floor(random() * 11)
  const isStake = random() < 0.5
  const weights = Array.from({ length: amount }, () =>
    isStake ? BigInt(1 + Math.floor(random() * random() * 2_000)) : 1n,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  const hostileShare = random() < 0.2 ? 0 : random() * (isSampled ? 0.2 : 0.5)
  const favourite = HOSTILE[Math.floor(random() * HOSTILE.length)]
  const isMixed = random() < 0.7
  const collude = random() < 0.5
  const isHostileAt = new Set<number>()
  let lost = 0n
  for (const [i, weight] of weights.entries()) {
    const share = Number(lost + weight) / Number(total)
    if (2n * (lost + weight) >= total || share > hostileShare || random() > 0.8) continue
    isHostileAt.add(i)
    lost += weight
  }
  return weights.map((weight, i) => {
    const nodeId = new Uint8Array(20)
    new DataView(nodeId.buffer).setUint32(0, i + 1)
    const isHostile = isHostileAt.has(i)
    // The honest weight that is never down stays above half of the total.
    const isDown = !isHostile && 2n * (lost + weight) < total && random() < 0.1
    if (isDown) lost += weight
    const hostile = isMixed ? HOSTILE[Math.floor(random() * HOSTILE.length)] : favourite
    const slowness = random() < 0.15 ? 2_000 : 250
    const from = random() * 30_000
    return {
      nodeId,
      weight,
      votesForFork: isHostile && (collude || random() < 0.5),
      isPruned: !isHostile && i > 3 && random() < 0.1,
      lagMs: random() * 300,
      delayMs: [2, 20 + random() * slowness],
      ...(isHostile && hostile !== undefined && { hostile }),
      ...((isDown || random() < 0.05) && {
        down: [from, isDown ? Number.POSITIVE_INFINITY : from + random() * 30_000] as const,
      }),
    }
  })
}

/** Returns some blocks of the chain, some of no chain, and sometimes one of the fork. */
function createCheckpoints(
  random: () => number,
  chain: SimulatedChain.SimulatedChain,
  fork: SimulatedChain.SimulatedChain,
  count: (event: string) => void,
): readonly Checkpoint[] {
  const checkpoints: Checkpoint[] = []
  const add = (event: string, { id, height }: Tip) => {
    count(`checkpoints: ${event}`)
    checkpoints.push(random() < 0.5 ? { id } : { id, height })
  }
  while (random() < 0.8) {
    const kind = random()
    if (kind < 0.7) add('right', chain.blocks[Math.floor(random() * 200)] as Block)
    else if (kind < 0.9) {
      const id = new Uint8Array(32).map(() => Math.floor(random() * 256))
      add('unanswered', { id, height: BigInt(Math.floor(random() * 180)) })
    } else add('of a fork', fork.blocks.at(-1) as Block)
  }
  return checkpoints.filter(
    ({ id }, i) => checkpoints.findIndex((other) => Hex.encode(other.id) === Hex.encode(id)) === i,
  )
}

/** Returns a table of what was thrown at a number of runs. */
export function formatTable(runs: number, totals: Counts): string {
  const rows = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(...rows.map(([event]) => event.length))
  return [
    `${runs} runs`,
    ...rows.map(([event, count]) => `${event.padEnd(width)} ${String(count).padStart(10)}`),
  ].join('\n')
}
