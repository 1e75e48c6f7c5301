import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { parseHead } from '../promql/Series.ts'
import { ROOT, read } from '../Repository.ts'
import type { Alert } from './Alert.ts'
import * as Alerts from './Alerts.ts'
import * as Files from './Files.ts'

describe.each(Alerts.ALL)('$name', (alert) => {
  it('fires in its rehearsal, and names what fails', () => {
    const found = Alerts.firing(alert, alert.fires)
    expect(found).toHaveLength(1)
    for (const one of found) expect(Alerts.fill(alert.summary, one)).not.toMatch(/\{\{| {2}|undefined/)
  })

  it('is silent for a service that is well, and without any series', () => {
    expect(Alerts.firing(alert, alert.silent)).toEqual([])
    expect(Alerts.firing(alert, {})).toEqual([])
  })
})

describe('files', () => {
  it.each([...Files.files()])('%s is up to date: npm run observability rewrites it', (path, text) => {
    expect(existsSync(join(ROOT, path)) && read(path) === text).toBe(true)
  })

  it('names every alert once', () => {
    expect(new Set(Alerts.ALL.map(({ name }) => name)).size).toBe(Alerts.ALL.length)
  })
})

const promtool = (process.env['PATH'] ?? '')
  .split(':')
  .map((folder) => join(folder, 'promtool'))
  .find(existsSync)

type Rehearsal = { readonly alert: Alert; readonly table: Readonly<Record<string, string>> }

const metricsOf = ({ table }: Rehearsal) => Object.keys(table).map((series) => parseHead(series).metric)

/** Puts rehearsals that share no metric into one group, because promtool opens a database for each group. */
const pack = (rehearsals: readonly Rehearsal[]): readonly (readonly Rehearsal[])[] => {
  const packed: { readonly members: Rehearsal[]; readonly metrics: Set<string> }[] = []
  for (const one of rehearsals) {
    const metrics = metricsOf(one)
    let group = packed.find((other) => metrics.every((metric) => !other.metrics.has(metric)))
    if (group === undefined) {
      group = { members: [], metrics: new Set() }
      packed.push(group)
    }
    group.members.push(one)
    for (const metric of metrics) group.metrics.add(metric)
  }
  return packed.map(({ members }) => members)
}

/** Returns a unit test for promtool. */
const unitTest = (rehearsals: readonly Rehearsal[]) => ({
  interval: '1m',
  input_series: rehearsals.flatMap(({ table }) =>
    Object.entries(table).map(([series, values]) => ({ series, values })),
  ),
  alert_rule_test: rehearsals.map(({ alert, table }) => ({
    eval_time: `${Alerts.END_MINUTE}m`,
    alertname: alert.name,
    exp_alerts: Alerts.firing(alert, table).map((one) => {
      const { __name__: _, ...labels } = one.labels
      const [rule] = ruleOf(alert)
      return {
        exp_labels: { ...labels, severity: alert.severity },
        exp_annotations: { ...rule?.annotations, summary: Alerts.fill(alert.summary, one) },
      }
    }),
  })),
})

type Rule = { readonly alert: string; readonly annotations: Readonly<Record<string, string>> }
const { groups } = parse(read('deploy/prometheus/alerts.yaml')) as {
  groups: readonly { readonly rules: readonly Rule[] }[]
}
const ruleOf = ({ name }: Alert) => groups.flatMap(({ rules }) => rules).filter((one) => one.alert === name)

it.runIf(promtool !== undefined)(
  'Prometheus accepts the rules and agrees about each rehearsal',
  { tags: ['promtool'] },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'firn-promtool-'))
    const run = (...args: string[]) => execFileSync(promtool ?? '', args, { encoding: 'utf8', stdio: 'pipe' })
    try {
      const rules = join(ROOT, 'deploy/prometheus/alerts.yaml')
      expect(run('check', 'rules', rules)).toContain(`${Alerts.ALL.length} rules found`)
      const rehearsals = Alerts.ALL.flatMap((alert) => [
        { alert, table: alert.fires },
        { alert, table: alert.silent },
      ])
      const tests = pack(rehearsals).map(unitTest)
      const file = join(folder, 'alerts.test.yaml')
      writeFileSync(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
      expect(run('test', 'rules', file)).toContain('SUCCESS')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
