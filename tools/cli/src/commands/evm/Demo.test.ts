import { expect, test } from 'vitest'
import * as Run from '../../Run.ts'

test('shows data from every endpoint in the demo', async () => {
  const lines: string[] = []
  const terminal = {
    print: (line: string) => lines.push(line),
    note: (line: string) => lines.push(line),
    isInteractive: false,
    signal: new AbortController().signal,
  }
  const ports = ['--port', '0', '--gateway-port', '0', '--evm-port', '0']
  expect([await Run.run(['evm', '--demo', '--once', ...ports], terminal), lines.join('\n')]).toEqual([
    0,
    expect.stringMatching(/(\d+) of \1 endpoints show data/),
  ])
  const shown = lines.filter((line) => line.includes(' /v1/') || line.includes(' /v2/'))
  expect(shown.length).toBeGreaterThan(40)
}, 150_000)
