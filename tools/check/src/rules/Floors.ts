import { FLOORS } from '../Directions.ts'
import * as Floors from '../Floors.ts'
import type { Rule, Subject, Violation } from '../Rule.ts'
import { folderOf, isTest } from '../Workspace.ts'

const TABLE = 'tools/check/src/Directions.ts'

const hasFloors = (folder: string): boolean => folder.startsWith('services/') || folder.startsWith('apps/')

const breaches = (service: string, units: ReadonlySet<string>): readonly Violation[] => {
  const declared = (FLOORS[service] ?? []).flat()
  const undeclared = [...units].filter((unit) => Floors.levelOf(service, unit) === undefined)
  const absent = declared.filter((unit) => !units.has(unit))
  const twice = declared.filter((unit, index) => declared.indexOf(unit) !== index)
  return [
    ...undeclared.map((unit) => ({
      where: `${service}/src/${unit}`,
      message: `has no floor; add it to FLOORS in ${TABLE}`,
    })),
    ...absent.map((unit) => ({
      where: TABLE,
      message: `${service}/src has no ${unit}; remove it from FLOORS`,
    })),
    ...twice.map((unit) => ({ where: TABLE, message: `${service}/src/${unit} has two floors` })),
  ]
}

const run = ({ sources, workspace }: Subject) => {
  const services = workspace.packages.map(({ folder }) => folder).filter(hasFloors)
  const units = new Map(services.map((service) => [service, new Set<string>()]))
  for (const { path } of sources) if (!isTest(path)) units.get(folderOf(path))?.add(Floors.unitOf(path))
  const violations = [...units].flatMap(([service, found]) => breaches(service, found))
  return { examined: `${[...units.values()].reduce((sum, { size }) => sum + size, 0)} folders`, violations }
}

/**
 * Checks that each folder of a service and of the console has a floor, and each floor a folder. The rule
 * `structure` counts the imports that do not point to a lower floor.
 */
export const floors: Rule = { name: 'floors', run }
