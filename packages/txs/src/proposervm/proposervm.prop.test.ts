import { itKeepsItsWord } from '../testing/properties.ts'
import * as Container from './Container.ts'
import * as ContainerHeader from './ContainerHeader.ts'
import * as Epoch from './Epoch.ts'

itKeepsItsWord('container', Container.codec)
itKeepsItsWord('container header', ContainerHeader.codec)
itKeepsItsWord('epoch', Epoch.codec)
