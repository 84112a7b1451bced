package payments;

public class Payment {
  public String invoice;
  public double amount;
}
