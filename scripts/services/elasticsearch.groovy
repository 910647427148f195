// A node of Elasticsearch from its jars: what its own start script does, less the checks of a production machine.
import java.nio.file.Path
import org.elasticsearch.common.logging.LogConfigurator
import org.elasticsearch.common.settings.Settings
import org.elasticsearch.env.Environment
import org.elasticsearch.node.Node
import org.elasticsearch.plugins.PluginsLoader

def (home, port, transport) = args
def settings = Settings.builder()
    .put('path.home', home)
    .put('cluster.name', 'threadkeep-test')
    .put('node.name', 'one')
    .put('discovery.type', 'single-node')
    .put('network.host', '127.0.0.1')
    .put('http.port', port)
    .put('transport.port', transport)
    .put('cluster.routing.allocation.disk.threshold_enabled', false)
    .build()
LogConfigurator.registerErrorListener()
LogConfigurator.configureWithoutConfig(settings)
def environment = new Environment(settings, Path.of(home, 'config'))
def modules = PluginsLoader.loadModulesBundles(environment.modulesDir(), false)
new Node(environment, PluginsLoader.createPluginsLoader(modules, [] as Set, [:], false)).start()
Thread.currentThread().join()
