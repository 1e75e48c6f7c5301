import { describe, expect, it } from 'vitest'
import * as Check from './Check.ts'
import { testClocks } from './rules/TestClocks.ts'
import * as Workspace from './Workspace.ts'

const HELD = 'tools/check/test-clocks.json'
const PATH = 'packages/codec/src/Hex.test.ts'

const found = async (code: string, held: object = {}, path = PATH): Promise<string> => {
  const workspace = Workspace.fromTexts({ [path]: code, [HELD]: JSON.stringify(held) })
  const outcomes = await Check.run(workspace, [testClocks])
  return outcomes.flatMap(({ violations }) => violations.map((v) => `${v.where} ${v.message}`)).join('\n')
}

const PLANTED: readonly (readonly [kind: string, code: string])[] = [
  ['limits', "test('x', async () => {}, 60_000)"],
  ['limits', "it.each([1])('x', { timeout: 5_000 }, () => {})"],
  ['limits', "it.skipIf(none)('x', { tags: ['redis'], timeout: 5_000 }, () => {})"],
  ['limits', "describe('x', { timeout: 1 }, () => {})"],
  ['limits', 'beforeAll(() => start(), 60_000)'],
  ['limits', 'await expect.poll(() => count, { timeout: 20_000 }).toBe(1)'],
  ['limits', 'await expect\n  .poll(() => count, { timeout: 20_000, interval: 5 })\n  .toBe(1)'],
  ['limits', 'await vi.waitFor(() => expect(count).toBe(1))'],
  ['limits', "await page.locator('h1').waitFor({ timeout: 60_000 })"],
  ['pauses', 'await new Promise((resolve) => setTimeout(resolve, 50))'],
  ['pauses', 'await sleep(50)'],
  ['pauses', 'await systemClock.sleep(50)'],
  ['deadlines', 'const signal = AbortSignal.timeout(60_000)'],
  ['durations', 'expect(performance.now() - start).toBeLessThan(100)'],
  ['durations', 'expect(Date.now() - start).toBeGreaterThan(100)'],
]

describe('test clocks', () => {
  it.each(PLANTED)('rejects %s: %s', async (_kind, code) => {
    expect(await found(code)).toMatch(/^packages\/codec\/src\/Hex\.test\.ts:1 /)
  })

  it.each(PLANTED)(
    'accepts %s outside of tests, and as often as the folder is held to: %s',
    async (kind, code) => {
      expect(await found(code, {}, 'packages/codec/src/Hex.ts')).toBe('')
      expect(await found(code, { 'packages/codec': { [kind]: 1 } })).toBe('')
      expect(await found(code, { 'packages/codec': { [kind]: 2 } })).toContain('held to 2; lower the number')
      expect(await found(`${code}\n${code}`, { 'packages/codec': { [kind]: 1 } })).toContain('held to 1)')
    },
  )

  it.each([
    "test('x', async () => {})",
    "it.each([1, 2])('x', (one) => expect(one).toBe(1))",
    "describe('x', { tags: ['redis'] }, () => {})",
    'await expect.poll(() => count, { interval: 500 }).toBe(1)',
    'await until(() => expect(count).toBe(1))',
    'await clock.sleep(50)',
    'const now = () => Date.now()',
  ])('accepts %s', async (code) => expect(await found(code)).toBe(''))
})
