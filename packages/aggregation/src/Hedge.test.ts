import { expect, it } from 'vitest'
import { createHistory, delay } from './Hedge.ts'
import { defaults } from './Options.ts'

function historyOf(latencies: readonly number[]) {
  const history = createHistory()
  for (const latency of latencies) history.add(latency)
  return history
}

it('waits for the configured delay while too few latencies are known', () => {
  expect(delay(undefined, createHistory(), defaults)).toBe(defaults.hedgeDelayMs)
  expect(delay(undefined, historyOf(Array(19).fill(1)), defaults)).toBe(defaults.hedgeDelayMs)
})

it('waits 1.5 times the 95th percentile of earlier response latencies', () => {
  const latencies = Array.from({ length: 100 }, (_, i) => i + 1)
  expect(delay(undefined, historyOf(latencies), defaults)).toBe(96 * 1.5)
})

it('prefers the latencies of the current run over earlier latencies', () => {
  expect(delay(40, historyOf(Array(100).fill(300)), defaults)).toBe(80)
})

it('limits the hedge delay to the configured minimum and maximum', () => {
  expect(delay(1, createHistory(), defaults)).toBe(defaults.minHedgeDelayMs)
  expect(delay(60_000, createHistory(), defaults)).toBe(defaults.maxHedgeDelayMs)
})

it('discards old latencies', () => {
  const history = historyOf([...Array(512).fill(900), ...Array(512).fill(10)])
  expect(history.quantile(0.99)).toBe(10)
})

it('returns the quantiles of the last 512 latencies', () => {
  const latencies = Array.from({ length: 1_500 }, (_, i) => (i * 7_919) % 1_009)
  const history = createHistory()
  for (const [i, latency] of latencies.entries()) {
    history.add(latency)
    const last = latencies.slice(Math.max(0, i - 511), i + 1).sort((a, b) => a - b)
    if (i % 97 === 50) expect(history.quantile(0.95)).toBe(last[Math.floor(0.95 * last.length)])
  }
})
