// The worker of an example: mvn compile exec:java
package payments;

import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;

/** The worker of an example: mvn -q compile exec:java */
public class Main {
  public static void main(String[] arguments) {
    var address = System.getenv().getOrDefault("TEMPORAL_ADDRESS", "127.0.0.1:7233");
    var options = WorkflowServiceStubsOptions.newBuilder().setTarget(address).build();
    var factory = WorkerFactory.newInstance(WorkflowClient.newInstance(WorkflowServiceStubs.newServiceStubs(options)));
    var worker = factory.newWorker("payments-java");
    worker.registerWorkflowImplementationTypes(PayInvoice.Approved.class);
    worker.registerActivitiesImplementations(new Payments.ToFile());
    factory.start();
    System.out.println("ready");
  }
}
