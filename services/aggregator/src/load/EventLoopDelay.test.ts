import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createEventLoopDelay } from './EventLoopDelay.ts'

/** Returns a histogram whose samples a test sets, in milliseconds. */
function createHistogram() {
  const samples: number[] = []
  return {
    samples,
    get max() {
      return Math.max(0, ...samples) * 1e6
    },
    percentile: (percent: number) =>
      (samples.toSorted((a, b) => a - b)[Math.ceil((samples.length * percent) / 100) - 1] ?? 0) * 1e6,
    reset: () => void samples.splice(0),
    close: () => undefined,
  }
}

it('exposes the delay without the sampling interval, and keeps a burst for at least one window', async () => {
  const register = new Registry()
  const histograms: ReturnType<typeof createHistogram>[] = []
  const delay = createEventLoopDelay(register, () => {
    const histogram = createHistogram()
    histograms.push(histogram)
    return histogram
  })
  const record = (...ms: number[]) => {
    for (const { samples } of histograms) samples.push(...ms)
  }
  const read = async () => {
    const [metric] = await register.getMetricsAsJSON()
    return metric?.values.map(({ value }) => Math.round(value * 1e3))
  }
  record(...Array(98).fill(10), 60, 60, 310)
  expect(await read()).toEqual([0, 50, 300])
  delay.rotate()
  expect(await read()).toEqual([0, 50, 300])
  delay.rotate()
  expect(await read()).toEqual([0, 0, 0])
  delay.close()
})

it('measures a blocked event loop', async () => {
  const register = new Registry()
  const delay = createEventLoopDelay(register)
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  await pause(30)
  const end = performance.now() + 60
  while (performance.now() < end);
  await pause(30)
  delay.close()
  const text = await register.metrics()
  const max = /quantile="1"\} (\S+)/.exec(text)?.[1]
  expect(Number(max)).toBeGreaterThan(0.02)
})
