import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Profiler } from './Profiler.ts'

let folder: string
let profiler: Profiler
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'firn-profiler-')), 'profiles')
  profiler = new Profiler({ folder, now: Date.now })
})
afterEach(async () => {
  await profiler.close()
  await rm(join(folder, '..'), { recursive: true, force: true })
})

const file = (name: string) => join(folder, name)
const refused = (message: string) => expect.objectContaining({ code: 'RPC_REMOTE', message })

/**
 * Runs a loop in a named function, so that the test can find it in the profile. The number of rounds is
 * fixed, because reading the clock would appear in the profile, and because the profiler may start late on a
 * busy machine.
 */
function spinForProfile(millionRounds: number): number {
  let sum = 0
  for (let i = 0; i < millionRounds * 1_000_000; i++) sum += Math.sqrt(sum + i)
  return sum
}

const kept: unknown[] = []
function allocateForProfile(): void {
  for (let i = 0; i < 400; i++) kept.push(Array.from({ length: 2_000 }, (_, j) => `${i} ${j}`))
}

/** Reads a profile, and checks the rules without which `go tool pprof` calls a profile malformed. */
async function read(name: string): Promise<Profile> {
  const profile = Profile.decode(gunzipSync(await readFile(file(name))))
  const { strings } = profile.stringTable
  expect(strings[0]).toBe('')
  const functions = new Set(profile.function.map(({ id }) => Number(id)))
  const locations = new Set(profile.location.map(({ id }) => Number(id)))
  for (const [ids, entries] of [
    [functions, profile.function],
    [locations, profile.location],
  ] as const) {
    expect(ids.size).toBe(entries.length)
    expect(ids.has(0)).toBe(false)
  }
  const isEveryFunctionKnown = profile.location.every(({ line }) =>
    line.every(({ functionId }) => functions.has(Number(functionId))),
  )
  const isEverySampleComplete = profile.sample.every(
    ({ locationId, value }) =>
      value.length === profile.sampleType.length && locationId.every((id) => locations.has(Number(id))),
  )
  const isEveryNameKnown = profile.function.every(({ name, filename }) =>
    [name, filename].every((index) => Number(index) < strings.length),
  )
  expect({ isEveryFunctionKnown, isEverySampleComplete, isEveryNameKnown }).toEqual({
    isEveryFunctionKnown: true,
    isEverySampleComplete: true,
    isEveryNameKnown: true,
  })
  return profile
}

/**
 * Returns the measured values (bytes, nanoseconds or counts) by function. Counts only the innermost frame of
 * each stack.
 */
async function innermost(name: string, kind: string): Promise<ReadonlyMap<string, number>> {
  const profile = await read(name)
  const text = (index: number | bigint) => profile.stringTable.strings[Number(index)] as string
  const column = profile.sampleType.findIndex(({ type }) => text(type) === kind)
  const functions = new Map(profile.function.map(({ id, name: at }) => [Number(id), text(at)]))
  const locations = new Map(
    profile.location.map(({ id, line }) => [
      Number(id),
      functions.get(Number(line[0]?.functionId)) as string,
    ]),
  )
  const sums = new Map<string, number>()
  for (const { locationId, value } of profile.sample) {
    const at = locations.get(Number(locationId[0])) as string
    sums.set(at, (sums.get(at) ?? 0) + Number(value[column]))
  }
  return sums
}

const largest = (sums: ReadonlyMap<string, number>) => [...sums].sort(([, a], [, b]) => b - a)[0]?.[0]

/**
 * Whether `go tool pprof` is used. Its first call compiles the tool, which takes more than a minute of CPU
 * time, so only the long form of the tests calls it.
 */
const usesGo = Number(process.env['FIRN_ROUNDS'] ?? 0) >= 1 && spawnSync('go', ['version']).status === 0

/** Returns the output of `go tool pprof -top`. */
function goTop(name: string): string {
  return execFileSync('go', ['tool', 'pprof', '-top', file(name)], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, PPROF_TMPDIR: folder },
  })
}

describe('CPU profile', () => {
  test('writes a CPU profile that names the function that used the CPU time', async () => {
    await profiler.startCpu()
    expect(await readFile(file('cpu.profile'), 'utf8')).toBe('')
    spinForProfile(200)
    await profiler.stopCpu()
    expect(largest(await innermost('cpu.profile', 'cpu'))).toBe('spinForProfile')
    expect(largest(await innermost('cpu.profile', 'samples'))).toBe('spinForProfile')
    expect((await stat(folder)).mode & 0o777).toBe(0o750)
    expect((await stat(file('cpu.profile'))).mode & 0o777).toBe(0o640)
  })

  test('rejects a second concurrent CPU profile', async () => {
    await expect(profiler.stopCpu()).rejects.toEqual(refused("cpu profiler doesn't exist"))
    const starting = profiler.startCpu()
    await expect(profiler.startCpu()).rejects.toEqual(refused('cpu profiler already running'))
    await starting
    await profiler.stopCpu()
    await expect(profiler.stopCpu()).rejects.toEqual(refused("cpu profiler doesn't exist"))
    await profiler.startCpu()
    await profiler.stopCpu()
  })

  test('starts a CPU profile after an earlier start failed', async () => {
    await writeFile(folder, '')
    await expect(profiler.startCpu()).rejects.toEqual(refused(`mkdir ${folder}: not a directory`))
    await rm(folder)
    await profiler.startCpu()
    await profiler.stopCpu()
  })

  test('truncates the profile of an earlier run and resets the file mode', async () => {
    await mkdir(folder)
    await writeFile(file('cpu.profile'), 'old')
    await chmod(file('cpu.profile'), 0o666)
    await profiler.startCpu()
    expect((await stat(file('cpu.profile'))).size).toBe(0)
    expect((await stat(file('cpu.profile'))).mode & 0o777).toBe(0o640)
    await profiler.stopCpu()
  })
})

test('writes a heap profile with the names of the functions that allocated live objects', async () => {
  allocateForProfile()
  await profiler.memory()
  const space = await innermost('mem.profile', 'inuse_space')
  const own = [...space].filter(([name]) => /allocateForProfile|from|anonymous/.test(name))
  expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeGreaterThan(4 * 2 ** 20)
  expect((await stat(file('mem.profile'))).mode & 0o777).toBe(0o640)
})

test('keeps other profilers of the process running when one profiler is closed', async () => {
  const other = new Profiler({ folder, now: Date.now })
  await other.memory()
  await profiler.startCpu()
  await other.close()
  await profiler.memory()
  expect(Profile.decode(gunzipSync(await readFile(file('mem.profile')))).sampleType).toHaveLength(2)
  await profiler.stopCpu()
})

test('writes a lock profile with event loop delays and garbage collections', async () => {
  await profiler.memory()
  await new Promise((resolve) => setTimeout(resolve, 60))
  spinForProfile(200)
  await new Promise((resolve) => setTimeout(resolve, 60))
  await profiler.lock()
  const text = await readFile(file('lock.profile'), 'utf8')
  expect(text).toMatch(/^--- mutex:\ncycles\/second=1000000000\nsampling period=1\n/)
  const waits = [...text.matchAll(/^(\d+) (\d+) @ (0x[0-9a-f]+)\n#\t\3\tevent loop/gm)]
  expect(Math.max(...waits.map(([, nanoseconds]) => Number(nanoseconds)))).toBeGreaterThan(100e6)
  expect(text).toMatch(/^[1-9]\d* [1-9]\d* @ (0x[0-9a-f]+)\n#\t\1\tgarbage collection, major$/m)
  expect((await stat(file('lock.profile'))).mode & 0o777).toBe(0o640)
})

test.skipIf(!usesGo)('writes profiles that go tool pprof can read', { tags: ['go'] }, async () => {
  allocateForProfile()
  await profiler.startCpu()
  spinForProfile(200)
  await profiler.stopCpu()
  await profiler.memory()
  await profiler.lock()
  expect(goTop('cpu.profile')).toMatch(/Type: cpu[\s\S]*spinForProfile/)
  expect(goTop('mem.profile')).toMatch(/Type: inuse_space[\s\S]*allocateForProfile/)
  expect(goTop('lock.profile')).toContain('Type: delay')
})

test("returns the node's error text if the profile folder cannot be written", async () => {
  await mkdir(file('mem.profile'), { recursive: true })
  const path = file('mem.profile')
  await expect(profiler.memory()).rejects.toEqual(refused(`open ${path}: is a directory`))
})
