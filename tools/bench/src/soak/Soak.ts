import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import * as Faults from './Faults.ts'
import * as Kinds from './Kinds.ts'
import * as Load from './Load.ts'
import * as Networks from './Networks.ts'
import * as Samples from './Samples.ts'
import * as Service from './Service.ts'
import type * as Verdict from './Verdict.ts'

const SAMPLE_MS = 15_000
/** Number of samples from one collection of garbage to the next one: about four minutes. */
const COLLECT_EVERY = 16
/** Longest time of a fault, and the longest time from its end to the next one. */
const FAULT_MS = 10_000
const CALM_MS = 20_000

type ByKind<T> = Readonly<Record<Kinds.Kind, T>>

/**
 * Runs two processes of each service on networks that grow, under load, and injects each fault in turn, at least once.
 * Returns everything that was recorded. `print` is called with a line for each injected fault, and with the output of a
 * service that fails without a reason.
 */
export async function run(
  milliseconds: number,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<Verdict.Record> {
  const folder = mkdtempSync(join(tmpdir(), 'firn-soak-'))
  const networks = await Networks.start(signal)
  const failures: string[] = []
  const onFailure = (words: string) => void failures.push(words)
  const world: Kinds.World = {
    databaseUrl: networks.database.url,
    devnetUrl: networks.devnet.rpcUrl,
    primaryUrl: networks.primary.url,
    evmUrl: networks.evm.url,
    networkId: Networks.NETWORK_ID,
    evmChainId: Networks.EVM_CHAIN_ID,
    folder,
  }
  const services = await pairs((kind, number) => Service.create(kind, number, world, onFailure))
  const all = Object.values(services).flat()
  try {
    for (const service of all) {
      await service.start()
      print(`${service.name} is healthy at ${service.url}`)
    }
    const recorded = await disturb(networks, services, folder, milliseconds, print, signal)
    for (const service of all) await service.end('SIGTERM').catch((error: Error) => onFailure(error.message))
    if (!signal.aborted) failures.push(...(await examine(world)))
    return { ...recorded, failures }
  } finally {
    await Promise.all(all.map((service) => service.end('SIGKILL')))
    await networks.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pairs(
  create: (kind: Kinds.Kind, number: number) => Promise<Service.Service>,
): Promise<ByKind<readonly [Service.Service, Service.Service]>> {
  const made = Kinds.ALL.map(async (kind) => [kind, [await create(kind, 1), await create(kind, 2)]])
  return Object.fromEntries(await Promise.all(made))
}

/** Sends requests and injects faults until the time is over. */
async function disturb(
  networks: Networks.Networks,
  services: ByKind<readonly [Service.Service, Service.Service]>,
  folder: string,
  milliseconds: number,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<Omit<Verdict.Record, 'failures'>> {
  const begin = performance.now()
  const stop = new AbortController()
  const until = AbortSignal.any([stop.signal, signal])
  const injected: Faults.Injected[] = []
  const tallies = new Map<Load.Target, Verdict.Tally>()
  const steady = Kinds.ALL.map((kind) => services[kind][0])
  const disrupted = Object.fromEntries(Kinds.ALL.map((kind) => [kind, services[kind][1]]))
  const scene = { networks, disrupted: disrupted as ByKind<Service.Service> }
  const samples = new Map(steady.map(({ name }) => [name, [] as Samples.Sample[]]))
  const sizes: Verdict.Record['disk'][number][] = []
  const outputs = new Map(
    Object.values(services)
      .flat()
      .map(({ name, output }) => [name, output]),
  )
  const count = (outcome: Load.Outcome) => {
    if (!tally(tallies, injected, scene, outcome, print)) print(outputs.get(outcome.service)?.() ?? '')
  }
  const working = Promise.all([
    networks.grow(until),
    Load.run(networks, services, count, until),
    sample(steady, samples, until),
    measureDisk(networks.database.url, folder, sizes, until),
  ])
  // A failed activity ends the soak.
  working.catch(() => stop.abort())
  const slot = milliseconds / Faults.FAULTS.length
  const faultMs = Math.min(FAULT_MS, slot / 3)
  const calmMs = Math.min(CALM_MS, slot / 3)
  const isOver = (round: number) => round >= Faults.FAULTS.length && performance.now() - begin >= milliseconds
  for (let round = 0; !until.aborted && !isOver(round); round++) {
    const fault = Faults.FAULTS[round % Faults.FAULTS.length] as Faults.Fault
    const one: Faults.Injected = { fault, from: performance.now(), until: Number.POSITIVE_INFINITY }
    injected.push(one)
    print(`${((one.from - begin) / 60_000).toFixed(1)} min: ${fault.name}`)
    await fault.inject(scene, faultMs, round)
    one.until = performance.now()
    await sleep(calmMs, undefined, { signal: until }).catch(() => undefined)
  }
  stop.abort()
  await working
  return { begin, end: performance.now(), injected, tallies, samples, disk: sizes }
}

/** Counts a request. Returns whether it succeeded, or a fault explains that it did not. */
function tally(
  tallies: Map<Load.Target, Verdict.Tally>,
  injected: readonly Faults.Injected[],
  scene: Faults.Scene,
  outcome: Load.Outcome,
  print: (line: string) => void,
): boolean {
  const { target, service, path, from, until, code, detail } = outcome
  const own = tallies.get(target) ?? { calm: [], faulty: [], explained: new Map(), unexplained: new Map() }
  tallies.set(target, own)
  const active = Faults.during(injected, from, until)
  if (code === undefined) {
    void (active.length === 0 ? own.calm : own.faulty).push(until - from)
    return true
  }
  if (active.some(({ fault }) => fault.explains({ target, service, code }, scene))) {
    own.explained.set(code, (own.explained.get(code) ?? 0) + 1)
    return true
  }
  const words = `${code} for ${path}: ${detail}`
  const faults = active.map(({ fault }) => fault.name).join(', ')
  print(`failed: ${service}, ${faults || 'no fault'}: ${words}`)
  own.unexplained.set(words, (own.unexplained.get(words) ?? 0) + 1)
  return false
}

async function sample(
  services: readonly Service.Service[],
  samples: ReadonlyMap<string, Samples.Sample[]>,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    for (const { kind, name, url, collect } of services) {
      // What remains after a collection is in use, so growth is judged by it.
      if (round % COLLECT_EVERY === 0) await collect(signal).catch(() => undefined)
      const answer = await fetch(url + Kinds.KINDS[kind].metrics, { signal }).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer?.status === 200 && text !== undefined)
        samples.get(name)?.push(Samples.parse(performance.now(), text))
    }
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function measureDisk(
  databaseUrl: string,
  folder: string,
  sizes: Verdict.Record['disk'][number][],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const [database, files] = [await databaseBytes(databaseUrl), await folderBytes(folder)]
    if (database !== undefined)
      sizes.push({ at: performance.now(), database: database / 2 ** 20, files: files / 2 ** 20 })
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns the size of the database, or undefined while it is unreachable. */
async function databaseBytes(connectionString: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
    return Number((rows[0] as { bytes: string }).bytes)
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    )
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Runs `firn doctor` on both networks, and returns what it complains about. */
async function examine({ databaseUrl, devnetUrl, networkId, evmChainId }: Kinds.World): Promise<string[]> {
  const files = [
    `--genesis-file=${devnetUrl}/devnet/genesis.json`,
    `--upgrade-file=${devnetUrl}/devnet/upgrade.json`,
  ]
  const checks = [[`--network-id=${networkId}`, '--replay', ...files], [`--chain-id=${evmChainId}`]]
  const results = checks.map((flags) =>
    promisify(execFile)(process.execPath, [
      ...Service.PROGRAM,
      'doctor',
      `--database-url=${databaseUrl}`,
      ...flags,
    ]).then(
      () => [],
      (error: Error & { stdout?: string; stderr?: string }) => [
        `firn doctor ${flags.join(' ')}:\n${error.stdout}${error.stderr}`,
      ],
    ),
  )
  return (await Promise.all(results)).flat()
}
