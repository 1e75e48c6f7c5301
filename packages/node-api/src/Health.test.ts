import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { type Check, createHealth } from './Health.ts'

let now = Date.UTC(2026, 10, 21, 1, 2, 3)
const health = (...checks: readonly Check[]) => createHealth({ checks, now: () => now, timeoutMs: 50 })
const failing = (error: () => string | undefined, rest: Partial<Check> = {}): Check => ({
  name: 'x',
  run: () => {
    const message = error()
    if (message !== undefined) throw new RangeError(message)
    return 'fine'
  },
  ...rest,
})

describe('health check', () => {
  test('reports a check as unhealthy before its first run', () => {
    const report = health(failing(() => undefined)).report('health')
    expect(report.healthy).toBe(false)
    expect(report.checks.get('x')).toEqual({
      error: 'not yet run',
      timestamp: '0001-01-01T00:00:00Z',
      duration: 0,
    })
  })

  test("reports the result and the time of a check's latest run", async () => {
    const all = health(failing(() => undefined))
    await all.refresh()
    const { healthy, checks } = all.report('health')
    expect(healthy).toBe(true)
    expect(checks.get('x')).toEqual({
      message: 'fine',
      timestamp: expect.stringMatching(/^2026-11-2[01]T\d\d:02:03/),
      duration: expect.any(Number),
    })
  })

  test('reports since when a check has been failing and how often, until it passes again', async () => {
    let error: string | undefined = 'broken'
    const turns: unknown[] = []
    const all = createHealth({
      checks: [failing(() => error)],
      now: () => now,
      timeoutMs: 50,
      onTurn: (...turn) => turns.push(turn),
    })
    await all.refresh()
    const first = all.report('health').checks.get('x')
    now += 1_000
    await all.refresh()
    expect(all.report('health').checks.get('x')).toMatchObject({
      error: 'broken',
      contiguousFailures: 2,
      timeOfFirstFailure: first?.timestamp,
    })
    error = undefined
    await all.refresh()
    expect(all.report('health').checks.get('x')).not.toHaveProperty('contiguousFailures')
    expect(turns).toEqual([
      ['x', 'broken'],
      ['x', undefined],
    ])
  })

  test('fails and aborts a check after the timeout', async () => {
    let wasTold = false
    const slow: Check = {
      name: 'slow',
      run: (signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            wasTold = true
          })
        }),
    }
    const all = health(slow)
    await all.refresh()
    expect(all.report('health').checks.get('slow')).toMatchObject({ error: 'no result within 50 ms' })
    expect(wasTold).toBe(true)
  })
})

describe('health report', () => {
  const set = async () => {
    const own = failing(() => undefined, { name: 'P', tags: ['one'] })
    const other = failing(() => 'down', { name: 'L', tags: ['two'] })
    const whole = failing(() => undefined, { name: 'database' })
    const all = health(own, other, whole)
    await all.refresh()
    return all
  }

  test('filters checks by tag but always includes untagged checks', async () => {
    const all = await set()
    const names = (...tags: readonly string[]) => [...all.report('health', tags).checks.keys()]
    expect(names('one')).toEqual(['P', 'database'])
    expect(names('two', 'one')).toEqual(['P', 'L', 'database'])
    expect(names('nobody')).toEqual(['database'])
    expect(all.report('health', ['one']).healthy).toBe(true)
    expect(all.report('health', ['two']).healthy).toBe(false)
  })

  test('returns a healthy liveness report without any checks', async () => {
    expect((await set()).report('liveness')).toEqual({ checks: new Map(), healthy: true })
  })

  test('still reports readiness when a check fails after it has passed once', async () => {
    let error: string | undefined = 'behind'
    const all = health(
      failing(() => error, { isReadiness: true }),
      failing(() => 'broken', { name: 'other' }),
    )
    await all.refresh()
    expect(all.report('readiness').healthy).toBe(false)
    error = undefined
    await all.refresh()
    error = 'behind again'
    await all.refresh()
    expect(all.report('readiness')).toMatchObject({ healthy: true })
    expect([...all.report('readiness').checks.keys()]).toEqual(['x'])
    expect(all.report('health').checks.get('x')).toMatchObject({ error: 'behind again' })
  })
})

it('ignores the failure of a check that is interrupted by close', async () => {
  const turns: string[] = []
  const started = Promise.withResolvers<void>()
  const slow: Check = {
    name: 'diskspace',
    run: () => {
      started.resolve()
      return new Promise(() => undefined)
    },
  }
  const all = createHealth({
    checks: [slow],
    now: () => now,
    timeoutMs: 60_000,
    onTurn: (name, error) => void turns.push(`${name}: ${error}`),
  })
  all.start(60_000)
  await started.promise
  await all.close()
  expect(turns).toEqual([])
})

test('repeats the checks at an interval until it is closed', async () => {
  let runs = 0
  const all = health({ name: 'x', run: () => void runs++ })
  all.start(5)
  while (runs < 3) await new Promise((settle) => setTimeout(settle, 5))
  await all.close()
  const before = runs
  await new Promise((settle) => setTimeout(settle, 30))
  expect(runs).toBe(before)
})

test('repeats the checks within seconds while one of them fails', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let [runs, error]: [number, string | undefined] = [0, 'broken']
  const all = health(
    failing(() => error),
    { name: 'count', run: () => void runs++ },
  )
  all.start(30_000)
  await vi.advanceTimersByTimeAsync(5_100)
  expect(runs).toBe(2)
  error = undefined
  await vi.advanceTimersByTimeAsync(5_000)
  expect(runs).toBe(3)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(runs).toBe(3)
  await all.close()
})
