// A node of OpenSearch from its jars: what its own start script does, less the checks of a production machine.
import java.nio.file.Path
import org.opensearch.common.settings.Settings
import org.opensearch.env.Environment
import org.opensearch.node.Node

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
new Node(new Environment(settings, Path.of(home, 'config'))).start()
Thread.currentThread().join()
