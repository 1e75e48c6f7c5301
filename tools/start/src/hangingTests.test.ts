import { afterEach, expect, it, vi } from 'vitest'
import { HangingTests } from './hangingTests.mjs'

const MINUTE = 60_000
const module = { type: 'module', id: '1', relativeModuleId: 'a.test.ts' }
const result = () => ({ state: 'pending' })
const slow = { type: 'test', id: '2', module, fullName: 'a > waits', result } as never
const quick = { type: 'test', id: '3', module, fullName: 'a > ends', result } as never

afterEach(() => vi.restoreAllMocks())

it('names tests and hooks that take minutes, and ends the run after its limit', () => {
  let now = 0
  const lines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never)
  const reporter = new HangingTests(10 * MINUTE, () => now)
  const lookAt = (minutes: number) => {
    now = minutes * MINUTE
    reporter.look()
    return lines.splice(0)
  }
  reporter.onTestCaseReady(slow)
  reporter.onTestCaseReady(quick)
  reporter.onTestCaseReady({ ...(quick as object), id: '4', result: () => ({ state: 'passed' }) } as never)
  reporter.onHookStart({ name: 'afterAll', entity: module } as never)
  expect(lookAt(1)).toEqual([])
  reporter.onTestCaseResult(quick)
  const named = ['a.test.ts > a > waits', 'a.test.ts > afterAll']
  expect(lookAt(2)).toEqual(named.map((name) => `running for 120 s: ${name}`))
  expect(lookAt(3)).toEqual([])
  expect(lookAt(4)).toEqual(named.map((name) => `running for 240 s: ${name}`))
  expect(exit).not.toHaveBeenCalled()
  expect(lookAt(13).at(-1)).toContain('The run ends')
  expect(exit).toHaveBeenCalledWith(1)
  reporter.onTestModuleEnd(module as never)
  expect(lookAt(100)).toEqual([])
})
