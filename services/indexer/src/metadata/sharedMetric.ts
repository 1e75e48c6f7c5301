import type { Registry } from 'prom-client'

/** Returns the metric of a registry with a name. Creates it if there is none, because workers of several chains share it. */
export function shared<M>(registry: Registry, name: string, make: (name: string) => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make(name)
}
