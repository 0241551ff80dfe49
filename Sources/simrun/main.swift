import Catalog
import Scenarios

CommandLineTool.main(systems: CatalogSystems.all)
