import java.time.OffsetDateTime;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DefaultApi;

/** Prints each order, after reading all that the order query has about it. */
public class ReadOrders {
  public static void main(String[] arguments) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    var api = new DefaultApi(client);
    var yesterday = OffsetDateTime.now().minusDays(1);
    for (var listed : api.listOrders(yesterday, null, null, null, null, 100, null, null).getOrders()) {
      var order = api.getOrder(listed.getOrderId(), null);
      for (var event : api.getOrderEvents(order.getOrderId(), null).getEvents()) api.getEvent(event.getId(), null);
      for (var transaction : order.getTransactions()) api.getTransaction(transaction.getId(), null);
      System.out.println(
          order.getOrderId() + " " + order.getStatus() + " " + order.getAttention() + " " + order.getSequence());
    }
    try {
      api.getOrder("no order/1", null);
    } catch (ApiException error) {
      System.out.println(error.getCode());
    }
  }
}
