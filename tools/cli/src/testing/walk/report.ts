import type { Outcome } from './Walk.ts'

const ms = (microseconds: number) => (microseconds / 1_000).toFixed(1)

/** Returns one line about a request. For tests only. */
export function line({ step, status, cpu, bare, limit, problem }: Outcome): string {
  const { door, route, name, caller } = step
  const cost = `${ms(cpu)} ms, bare ${ms(bare)} ms, limit ${ms(limit)} ms`
  return `${door.server}: ${route.method} ${route.path}, ${name}, ${caller}: status ${status}, ${cost}${problem === undefined ? '' : ` (${problem})`}`
}

const HEAD = [
  'server',
  'route',
  'request',
  'caller',
  'status',
  'processor ms',
  'bare ms',
  'limit ms',
  'problem',
]

/**
 * Returns Markdown tables of the dearest request of each server and of each route, in processor time. For tests only.
 */
export function report(outcomes: readonly Outcome[]): string {
  const measured = outcomes.filter(({ step }) => step.kind !== 'end')
  const servers = dearest(measured, ({ step }) => step.door.server)
  const routes = dearest(
    measured,
    ({ step }) => `${step.door.server} ${step.route.method} ${step.route.path}`,
  )
  return [
    `${outcomes.length} requests, ${(outcomes.reduce((sum, { cpu }) => sum + cpu, 0) / 1e6).toFixed(0)} s of processor time`,
    '## Dearest request by server',
    table(servers),
    '## Dearest request by route',
    table(routes),
    '## Problems',
    table(outcomes.filter(({ problem }) => problem !== undefined)),
  ].join('\n\n')
}

function dearest(outcomes: readonly Outcome[], keyOf: (outcome: Outcome) => string): readonly Outcome[] {
  const found = new Map<string, Outcome>()
  for (const outcome of outcomes) {
    const key = keyOf(outcome)
    if (outcome.cpu > (found.get(key)?.cpu ?? -1)) found.set(key, outcome)
  }
  return [...found.values()].sort((a, b) => b.cpu - a.cpu)
}

function table(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ step: { door, route, name, caller }, status, cpu, bare, limit, problem }) => [
    ...[door.server, `${route.method} ${route.path}`, name, caller, String(status)],
    ...[ms(cpu), ms(bare), ms(limit), problem ?? ''],
  ])
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
