import { afterAll, beforeAll, expect, test } from 'vitest'
import { needOf } from './testing/accessTable.ts'
import { type Meter, openMeter } from './testing/walk/Meter.ts'
import { OPEN } from './testing/walk/openRoutes.ts'
import { line } from './testing/walk/report.ts'
import { type Outcome, walk } from './testing/walk/Walk.ts'

let meter: Meter
beforeAll(async () => {
  meter = await openMeter()
})
afterAll(() => meter?.close())

test('knows what each route needs, and opens only routes that exist', () => {
  for (const { server, routes } of meter.doors) {
    // Pages of the node API are not in its table of routes.
    const listed = routes.filter(({ method }) => server !== 'node api' || method === 'POST')
    const unknown = listed.filter(({ method, path }) => needOf(server, method, path) === undefined)
    expect([server, unknown]).toEqual([server, []])
    const served = new Set(['*', ...routes.map(({ method, path }) => `${method} ${path}`)])
    expect([server, OPEN[server].filter((row) => !served.has(row))]).toEqual([server, []])
  }
})

test('requests to all routes cost little more than to read and parse them, and refusals need no body', async () => {
  const outcomes: Outcome[] = []
  await walk(meter, { isLong: false }, (outcome) => outcomes.push(outcome))
  expect(outcomes.filter(({ problem }) => problem !== undefined).map(line)).toEqual([])
})
