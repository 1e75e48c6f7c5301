import * as Load from './Load.ts'
import * as Table from './Table.ts'

const WARM_UP = 0.25

/** Response times and rates of one request path under load. Times are in milliseconds. */
export interface Figures extends Omit<Load.Measured, 'sample'> {
  /**
   * Processor time of the service per response, in milliseconds. It depends less on other load on the machine
   * than the response times do.
   */
  readonly cpu: number
  readonly bytes: number
}

/** Load-tests a path of a service that reports its own processor time. */
export async function measure(
  url: string,
  path: string,
  { connections, milliseconds }: Pick<Load.LoadOptions, 'connections' | 'milliseconds'>,
): Promise<Figures> {
  const how = { url, requests: [{ path }], connections }
  await Load.run({ ...how, milliseconds: milliseconds * WARM_UP })
  const before = await processorTime(url)
  const { sample, ...measured } = await Load.run({ ...how, milliseconds })
  const cpu = ((await processorTime(url)) - before) / measured.answers
  return { ...measured, cpu, bytes: Buffer.byteLength(sample) }
}

/**
 * Returns the table cells of the figures: responses per second, median, 99th percentile and processor time.
 */
export function cells(figures: Figures | undefined): string[] {
  if (figures === undefined) return ['', '', '', '']
  const { perSecond, p50, p99, cpu } = figures
  return [Math.round(perSecond).toLocaleString('en'), ...[p50, p99, cpu].map(Table.formatTime)]
}

async function processorTime(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1000
}
